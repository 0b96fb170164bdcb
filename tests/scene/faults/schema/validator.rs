//! Whether a value is as a JSON Schema says: the words of draft 2020-12 that the scene's schema
//! uses, and no others.

use serde_json::{Map, Value};

/// Words that say nothing of which values are allowed, and those that are looked at together.
const SKIPPED: [&str; 12] = [
    "$schema",
    "$defs",
    "title",
    "description",
    "default",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
];

/// What is wrong with a value; none if it is as the schema says.
pub fn fault(root: &Value, value: &Value) -> Option<String> {
    Validator { root }.check(root, value, "").err()
}

struct Validator<'a> {
    root: &'a Value,
}

impl Validator<'_> {
    fn check(&self, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
        let words = schema.as_object().unwrap_or_else(|| panic!("{path}: {schema} is no schema"));
        self.object(words, value, path)?;
        self.array(words, value, path)?;
        for (word, rule) in words.iter().filter(|(word, _)| !SKIPPED.contains(&word.as_str())) {
            let holds = match word.as_str() {
                "$ref" => {
                    let name = rule.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                    self.check(&self.root["$defs"][name], value, path)?;
                    true
                }
                "anyOf" => self.matches(rule, value, path) > 0,
                "oneOf" => self.matches(rule, value, path) == 1,
                _ => holds(word, rule, value),
            };
            if !holds {
                return Err(format!("{path} breaks {word}"));
            }
        }
        Ok(())
    }

    /// How many of several schemas a value is as.
    fn matches(&self, schemas: &Value, value: &Value, path: &str) -> usize {
        let schemas = schemas.as_array().unwrap().iter();
        schemas.filter(|schema| self.check(schema, value, path).is_ok()).count()
    }

    fn object(&self, words: &Map<String, Value>, value: &Value, path: &str) -> Result<(), String> {
        let Some(object) = value.as_object() else { return Ok(()) };
        for key in words.get("required").and_then(Value::as_array).into_iter().flatten() {
            if !object.contains_key(key.as_str().unwrap()) {
                return Err(format!("{path}: {key} is missing"));
            }
        }
        for (key, inner) in object {
            match words.get("properties").and_then(|all| all.get(key)) {
                Some(schema) => self.check(schema, inner, &format!("{path}/{key}"))?,
                None if words.get("additionalProperties") == Some(&Value::Bool(false)) => {
                    return Err(format!("{path}: {key} is unknown"));
                }
                None => {}
            }
        }
        Ok(())
    }

    fn array(&self, words: &Map<String, Value>, value: &Value, path: &str) -> Result<(), String> {
        let Some(array) = value.as_array() else { return Ok(()) };
        let count = |word: &str| words.get(word).and_then(Value::as_u64);
        let length = array.len() as u64;
        if count("minItems").is_some_and(|least| length < least)
            || count("maxItems").is_some_and(|most| length > most)
        {
            return Err(format!("{path}: {length} items"));
        }
        let first = words.get("prefixItems").and_then(Value::as_array);
        let first = first.map_or(&[][..], Vec::as_slice);
        for (k, item) in array.iter().enumerate() {
            if let Some(schema) = first.get(k).or_else(|| words.get("items")) {
                self.check(schema, item, &format!("{path}/{k}"))?;
            }
        }
        Ok(())
    }
}

/// Whether a rule for a value by itself holds.
fn holds(word: &str, rule: &Value, value: &Value) -> bool {
    let compare = |is_fine: fn(f64, f64) -> bool| {
        value.as_f64().is_none_or(|number| is_fine(number, rule.as_f64().unwrap()))
    };
    match word {
        "type" => match rule {
            Value::Array(types) => types.iter().any(|one| is_of(value, one.as_str().unwrap())),
            one => is_of(value, one.as_str().unwrap()),
        },
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "minimum" => compare(|number, least| number >= least),
        "maximum" => compare(|number, most| number <= most),
        _ => panic!("the schema has a word that is not known here: {word}"),
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => panic!("no kind of JSON: {kind}"),
    }
}
