//! A validator for the part of JSON Schema that docs/*.schema.json use. A keyword it does not know is a failure.

use serde_json::Value;

/// What in a document contradicts the schema; nothing if it is valid.
pub fn violations(schema: &Value, document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, document, "$", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, found: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$schema" | "title" | "description" | "$defs" => {}
            "$ref" if text(rule).starts_with('#') => check(root, definition(root, rule), value, place, found),
            "$ref" => {
                let other = read(text(rule));
                check(&other, &other, value, place, found);
            }
            "const" if rule != value => found.push(format!("{place} is not {rule}")),
            "const" => {}
            "enum" if !rule.as_array().expect("a list").contains(value) => {
                found.push(format!("{place} is not in {rule}"))
            }
            "enum" => {}
            "type" if !has_type(rule, value) => found.push(format!("{place} is not of type {rule}")),
            "type" => {}
            "required" => {
                let missing = rule.as_array().expect("a list").iter().filter(|name| value.get(text(name)).is_none());
                found.extend(missing.filter(|_| value.is_object()).map(|name| format!("{place} has no {name}")));
            }
            "properties" => {
                for (name, schema) in rule.as_object().expect("an object") {
                    if let Some(member) = value.get(name) {
                        check(root, schema, member, &format!("{place}.{name}"), found);
                    }
                }
            }
            "additionalProperties" => {
                assert!(schema.get("properties").is_none(), "the two together are not supported here");
                for (name, member) in value.as_object().into_iter().flatten() {
                    check(root, rule, member, &format!("{place}.{name}"), found);
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, item, &format!("{place}[{index}]"), found);
                }
            }
            "oneOf" => {
                let fits = |schema: &&Value| {
                    let mut inner = Vec::new();
                    check(root, schema, value, place, &mut inner);
                    inner.is_empty()
                };
                let fitting = rule.as_array().expect("a list").iter().filter(fits).count();
                if fitting != 1 {
                    found.push(format!("{place} fits {fitting} alternatives"));
                }
            }
            "minimum" if value.as_f64() < rule.as_f64() && value.is_number() => found.push(format!("{place} < {rule}")),
            "maximum" if value.as_i64() > rule.as_i64() => found.push(format!("{place} > {rule}")),
            "minItems" | "maxItems" => {
                let length = value.as_array().map_or(0, Vec::len) as u64;
                let limit = rule.as_u64().expect("a number");
                if if keyword == "minItems" { length < limit } else { length > limit } {
                    found.push(format!("{place} has {length} items"));
                }
            }
            "minimum" | "maximum" => {}
            unknown => panic!("the validator does not know {unknown}"),
        }
    }
}

/// A schema in docs/.
pub fn read(name: &str) -> Value {
    let path = crate::root().join("docs").join(name);
    let text = std::fs::read_to_string(path).expect("a schema beside the others");
    serde_json::from_str(&text).expect("JSON")
}

fn definition<'a>(root: &'a Value, reference: &Value) -> &'a Value {
    let path = text(reference).strip_prefix('#').expect("a reference inside the schema");
    root.pointer(path).unwrap_or_else(|| panic!("{path} is not defined"))
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let is = |name: &Value| match text(name) {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("the validator does not know the type {other}"),
    };
    match rule {
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}
