//! Reading traces in NuSMV's XML, as NuSMV's `show_traces -p 4` and our own [`xml`](super::xml) write them.
//!
//! NuSMV also lists what follows from the state, DEFINEs and who is running. A document has no model to tell them from
//! variables, so the former are kept as variables; `running` is said by the step.

use super::document::{Document, FORMAT, ReadError, Scalar, Step, VERSION};
use super::values::push;
use super::xml::{SELECTOR, VIOLATES};
use indexmap::IndexMap;

/// Reads a trace.
pub fn read(text: &str) -> Result<Document, ReadError> {
    let mut reader = Reader::default();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        reader.text(&rest[..at])?;
        let end = rest[at..].find('>').ok_or_else(|| wrong("a tag is not closed"))? + at;
        reader.tag(&rest[at + 1..end])?;
        rest = &rest[end + 1..];
    }
    reader.finish()
}

fn wrong(what: &str) -> ReadError {
    ReadError(format!("this is no trace in NuSMV's XML: {what}"))
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    is_trace: bool,
    about: String,
    states: Vec<IndexMap<String, Scalar>>,
    inputs: Vec<IndexMap<String, Scalar>>,
    loops: String,
    /// Where values go: states, inputs, or nowhere.
    section: Section,
    /// The variable whose value is being read.
    variable: Option<String>,
    value: String,
}

#[derive(Default, PartialEq, Eq)]
enum Section {
    #[default]
    Elsewhere,
    State,
    Input,
    Loops,
}

impl Reader {
    fn tag(&mut self, tag: &str) -> Result<(), ReadError> {
        let name = tag.split_whitespace().next().unwrap_or_default();
        match name {
            "counter-example" => {
                self.is_trace = true;
                self.about = attribute(tag, "desc")?.unwrap_or_default();
            }
            "state" => {
                self.section = Section::State;
                self.states.push(IndexMap::new());
            }
            "input" => {
                self.section = Section::Input;
                // The first state has no step before it, in whichever node its input is written.
                self.inputs.push(IndexMap::new());
            }
            "loops" => self.section = Section::Loops,
            "/state" | "/input" | "/loops" => self.section = Section::Elsewhere,
            "value" => {
                let variable = attribute(tag, "variable")?.ok_or_else(|| wrong("a value belongs to no variable"))?;
                self.variable = Some(variable);
                self.value.clear();
            }
            "/value" => self.store(),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), ReadError> {
        if self.variable.is_some() {
            self.value.push_str(&unescaped(text)?);
        } else if self.section == Section::Loops {
            self.loops.push_str(text);
        }
        Ok(())
    }

    fn store(&mut self) {
        let values = match self.section {
            Section::State => self.states.last_mut(),
            Section::Input => self.inputs.last_mut(),
            _ => None,
        };
        if let (Some(values), Some(variable)) = (values, self.variable.take()) {
            values.insert(variable, scalar(&self.value));
        }
        self.variable = None;
    }

    fn finish(mut self) -> Result<Document, ReadError> {
        if !self.is_trace || self.states.is_empty() {
            return Err(wrong("there is no counter-example with a state"));
        }
        let wanted = self.states.len() - 1;
        // A system without inputs and processes has no inputs to list.
        if self.inputs.is_empty() {
            self.inputs = vec![IndexMap::new(); wanted];
        }
        if self.inputs.len() != wanted {
            return Err(wrong(&format!("{} states need {wanted} inputs, not {}", wanted + 1, self.inputs.len())));
        }
        let start = self.loops.split_whitespace().find_map(|number| number.parse::<usize>().ok());
        let loop_start = start.and_then(|start| start.checked_sub(1)).filter(|start| *start < wanted);
        let mut states = Vec::with_capacity(self.states.len());
        self.states.into_iter().for_each(|values| push(&mut states, values.into()));
        let document = Document {
            format: FORMAT.to_owned(),
            version: VERSION,
            // NuSMV's format has no other place for the property than the description.
            property: self.about.strip_prefix(VIOLATES).map(str::to_owned),
            states,
            steps: self.inputs.into_iter().map(step).collect(),
            loop_start,
            ..Document::default()
        };
        document.checked()
    }
}

fn step(mut inputs: IndexMap<String, Scalar>) -> Step {
    let selector = inputs.shift_remove(SELECTOR);
    inputs.retain(|name, _| name != "running" && !name.ends_with(".running"));
    let process = selector.map_or_else(|| "main".to_owned(), |process| process.to_string());
    Step { process, inputs: inputs.into(), ..Step::default() }
}

fn scalar(text: &str) -> Scalar {
    match text.trim() {
        "TRUE" => Scalar::Boolean(true),
        "FALSE" => Scalar::Boolean(false),
        text => text.parse().map_or_else(|_| Scalar::Text(text.to_owned()), Scalar::Integer),
    }
}

fn attribute(tag: &str, name: &str) -> Result<Option<String>, ReadError> {
    let Some((_, rest)) = tag.split_once(&format!(" {name}=\"")) else { return Ok(None) };
    let (value, _) = rest.split_once('"').ok_or_else(|| wrong("an attribute is not closed"))?;
    unescaped(value).map(Some)
}

fn unescaped(text: &str) -> Result<String, ReadError> {
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').ok_or_else(|| wrong("an entity is not closed"))?;
        out.push(entity(name).ok_or_else(|| wrong(&format!("the entity {name} is not known")))?);
        out.push_str(rest);
    }
    Ok(out)
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let number = match digits.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(number)
        }
    }
}
