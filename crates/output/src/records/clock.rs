//! Wall-clock time as text: UTC in ISO 8601, to the millisecond.

use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Days from 0000-03-01 to 1970-01-01 in the proleptic Gregorian calendar.
const MARCH_YEAR_ZERO_TO_EPOCH: u64 = 719_468;

/// Bytes of an instant that is told to the second.
const WITHOUT_MILLIS: usize = 20;

/// An instant as `2031-04-05T06:07:08.009Z`; one before 1970 reads as 1970's first second.
pub(crate) fn utc(instant: SystemTime) -> String {
    let since = instant.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (seconds, millis) = (since.as_secs(), since.subsec_millis());
    let (year, month, day) = date(seconds / 86_400);
    let second_of_day = seconds % 86_400;
    let (hour, minute, second) =
        (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The instant that [`utc`] writes so, also without milliseconds; `None` for any other text.
pub(crate) fn instant(text: &str) -> Option<SystemTime> {
    let number = |range: Range<usize>| text.get(range)?.parse::<u64>().ok();
    let [year, month, day] = [number(0..4)?, number(5..7)?, number(8..10)?];
    let [hour, minute, second] = [number(11..13)?, number(14..16)?, number(17..19)?];
    // Counted from March, as in `date`: the days before a month are then 30.6 a month.
    let (year, month) =
        if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    let days = days.checked_sub(1 + MARCH_YEAR_ZERO_TO_EPOCH)?;
    let seconds = 86_400 * days + 3600 * hour + 60 * minute + second;
    let millis = if text.len() == WITHOUT_MILLIS { 0 } else { number(20..23)? };
    let instant = UNIX_EPOCH.checked_add(Duration::from_millis(1000 * seconds + millis))?;
    let written = utc(instant);
    let is_whole = text.len() == WITHOUT_MILLIS && written.replace(".000Z", "Z") == text;
    (is_whole || written == text).then_some(instant)
}

/// The date `days` days after 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last of a year; the Gregorian
/// calendar repeats every 400 years of 146 097 days.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + MARCH_YEAR_ZERO_TO_EPOCH;
    let (era, mut rest) = (days / 146_097, days % 146_097);
    // The last day of a period is its leap day: it must not start a fifth century or year.
    let century = (rest / 36_524).min(3);
    rest -= century * 36_524;
    let four_years = rest / 1461;
    rest -= four_years * 1461;
    let year = (rest / 365).min(3);
    rest -= year * 365;
    const MONTH_LENGTHS: [u64; 12] = [31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 29];
    let mut month = 3;
    for length in MONTH_LENGTHS {
        if rest < length {
            break;
        }
        rest -= length;
        month += 1;
    }
    let year = 400 * era + 100 * century + 4 * four_years + year;
    if month > 12 { (year + 1, month - 12, rest + 1) } else { (year, month, rest + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_agree_with_date_minus_u() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (13_574_563_199, "2400-02-28T23:59:59Z"),
            (13_574_563_200, "2400-02-29T00:00:00Z"),
        ];
        for (seconds, text) in cases {
            let then = UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!((utc(then).replace(".000Z", "Z"), instant(text)), (text.into(), Some(then)));
            let later = then + Duration::from_millis(9);
            assert_eq!(utc(later), text.replace('Z', ".009Z"));
            assert_eq!(instant(&utc(later)), Some(later));
        }
        for text in [
            "",
            "2031-02-29T00:00:00Z",
            "2031-04-05 06:07:08Z",
            "1969-12-31T23:59:59Z",
            "2031-04-05T06:07:08.9Z",
        ] {
            assert_eq!(instant(text), None, "{text}");
        }
    }
}
