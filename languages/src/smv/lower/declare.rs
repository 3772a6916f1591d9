//! Constants and variables.

use super::value::{Cells, InstanceId};
use super::{Lowering, MOST, codes};
use crate::smv::ast::{Element, EnumValue, Item, Root, SpannedItem, Type, VarKind};
use rustc_hash::FxHashSet;
use system::{Domain, Motion, Span, Variable, WIDEST_WORD, WordSort};

impl Lowering<'_> {
    /// Makes the symbolic constants of all instantiated modules known, and checks that they are nothing else.
    pub fn collect_constants(&mut self) {
        let used: FxHashSet<usize> = self.instances.iter().map(|instance| instance.module).collect();
        let mut used: Vec<usize> = used.into_iter().collect();
        used.sort_unstable();
        for module in &used {
            for at in self.modules[*module].items.clone() {
                match &self.item(at).item {
                    Item::Constants(names) => names.iter().for_each(|name| self.add_constant(*name)),
                    Item::Variable { ty: Type::Data { element: Element::Enumeration(values), .. }, .. } => {
                        for (value, _) in values {
                            if let EnumValue::Symbol(name) = value {
                                self.add_constant(*name);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        for module in used {
            self.check_ambiguity(module);
        }
    }

    fn add_constant(&mut self, name: crate::smv::ast::Name) {
        let value = self.system.symbols.intern(self.ast.text(name));
        self.constants.insert(name, value);
    }

    fn check_ambiguity(&mut self, module: usize) {
        for at in self.modules[module].items.clone() {
            let spanned = self.item(at);
            if let Item::Variable { name, .. } | Item::Define { name, .. } = &spanned.item
                && self.constants.contains_key(name)
            {
                let text = self.ast.text(*name);
                let message = format!("`{text}` is also a constant of an enumeration");
                self.error_with_help(codes::AMBIGUOUS, spanned.span, message, "rename one of the two");
            }
        }
    }

    /// Declares the variables of all instances.
    pub fn declare_variables(&mut self) {
        for index in 0..self.instances.len() {
            let id = InstanceId(index as u32);
            for (position, at) in self.info(id).variables.clone().into_iter().enumerate() {
                if self.diagnostics.is_over_after(1) {
                    return;
                }
                let cells = self.declare(id, self.item(at));
                self.instance_mut(id).variables[position] = cells;
            }
        }
    }

    /// Declares what a variable of an instance consists of.
    fn declare(&mut self, instance: InstanceId, declared: &SpannedItem) -> Option<Cells> {
        let span = declared.span;
        let Item::Variable { kind, name, ty: Type::Data { dimensions, element } } = &declared.item else { return None };
        let name = self.instance(instance).qualified(self.ast.text(*name));
        let mut bounds = Vec::new();
        for (low, high) in dimensions {
            bounds.push(self.bounds(instance, *low, *high, span)?);
        }
        let domain = self.domain(instance, element, span)?;
        let motion = match kind {
            VarKind::State => Motion::Free,
            VarKind::Frozen => Motion::Kept,
            VarKind::Input => Motion::Input,
        };
        let dimensions: Vec<(i64, u32)> =
            bounds.iter().map(|(low, high)| (*low, (high - low + 1).min(u32::MAX.into()) as u32)).collect();
        let count: u128 = dimensions.iter().map(|(_, length)| u128::from(*length)).product();
        if count + self.system.variables.len() as u128 > MOST as u128 {
            self.error(codes::TOO_LARGE, span, format!("more than {MOST} variables"));
            return None;
        }
        let first = self.system.variables.next_idx();
        for offset in 0..count as usize {
            let name = format!("{name}{}", subscript(&dimensions, offset));
            self.system.variables.push(Variable { name, domain: domain.clone(), motion, span });
        }
        Some(Cells { first, dimensions: dimensions.into(), depth: 0 })
    }

    fn bounds(&mut self, instance: InstanceId, low: Root, high: Root, span: Span) -> Option<(i64, i64)> {
        let low = self.constant_integer(instance, low)?;
        let high = self.constant_integer(instance, high)?;
        if low > high {
            self.error(codes::EMPTY_RANGE, span, format!("the range {low}..{high} is empty"));
            return None;
        }
        Some((low, high))
    }

    fn domain(&mut self, instance: InstanceId, element: &Element, span: Span) -> Option<Domain> {
        Some(match element {
            Element::Boolean => Domain::Boolean,
            Element::Range(low, high) => {
                let (low, high) = self.bounds(instance, *low, *high, span)?;
                Domain::Range { low, high }
            }
            Element::Word { signed, width } => {
                let place = self.ast.root_span(*width);
                let width = self.constant_integer(instance, *width)?;
                if !(1..=i64::from(WIDEST_WORD)).contains(&width) {
                    self.error(codes::WIDTH, place, format!("words have 1 to {WIDEST_WORD} bits, not {width}"));
                    return None;
                }
                Domain::Word(WordSort { width: width as u32, signed: *signed })
            }
            Element::Enumeration(values) => self.enumeration(values),
        })
    }

    fn enumeration(&mut self, values: &[(EnumValue, Span)]) -> Domain {
        let mut seen = FxHashSet::default();
        let mut members = Vec::new();
        for (value, span) in values {
            let (value, text) = match value {
                EnumValue::Symbol(name) => {
                    let text = self.ast.text(*name).to_owned();
                    (self.system.symbols.intern(&text), text)
                }
                EnumValue::Number(number) => (*number, number.to_string()),
            };
            if seen.insert(value) {
                members.push(value);
            } else {
                self.error(codes::DUPLICATE, *span, format!("`{text}` is listed twice"));
            }
        }
        Domain::Values(members.into())
    }
}

/// The index of an element, as it is written: `[2][0]`.
fn subscript(dimensions: &[(i64, u32)], mut offset: usize) -> String {
    let mut indices: Vec<i64> = Vec::new();
    for (low, length) in dimensions.iter().rev() {
        indices.push(low + (offset % *length as usize) as i64);
        offset /= *length as usize;
    }
    indices.iter().rev().map(|index| format!("[{index}]")).collect()
}
