//! Markdown tables with aligned columns, readable as they are.

/// A table under construction.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns; the first two are set left, the others right.
    pub fn new(columns: &[&str]) -> Self {
        Table { rows: vec![columns.iter().map(|&name| name.to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The text of the table.
    pub fn render(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(2)
        };
        let line = |row: &Vec<String>| {
            let cells = row.iter().enumerate().map(|(column, cell)| match column {
                0 | 1 => format!(" {cell:<0$} |", width(column)),
                _ => format!(" {cell:>0$} |", width(column)),
            });
            format!("|{}\n", cells.collect::<String>())
        };
        let rule = (0..self.rows[0].len()).map(|column| match column {
            0 | 1 => format!("{:-<1$}|", "", width(column) + 2),
            _ => format!("{:->1$}|", ":", width(column) + 2),
        });
        let rule = format!("|{}\n", rule.collect::<String>());
        let mut lines = self.rows.iter().map(line);
        let head = lines.next().unwrap_or_default();
        head + &rule + &lines.collect::<String>()
    }
}

/// Three significant figures, as far as that makes sense for ms and ns.
pub fn figure(x: f64) -> String {
    match x {
        x if x >= 100.0 => format!("{x:.0}"),
        x if x >= 10.0 => format!("{x:.1}"),
        x => format!("{x:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["method", "kind", "ms"]);
        table.push(vec!["a".into(), "b".into(), figure(12.34)]);
        assert_eq!(
            table.render(),
            "| method | kind |   ms |\n|--------|------|-----:|\n| a      | b    | 12.3 |\n"
        );
    }
}
