//! Arrays and bits: reading elements.

use super::expr::Operand;
use super::value::{Cells, Lowered, Ty, Typed};
use super::{Lowering, codes};
use std::rc::Rc;
use system::{ExprId, Node, Sort, Span, Unary};

impl Lowering<'_> {
    /// What the variables of an array (or of no array) denote.
    pub fn cells(&mut self, cells: Cells) -> Lowered {
        if !cells.is_scalar() {
            return Lowered::Cells(cells);
        }
        let domain = &self.system.variables[cells.first].domain;
        let (sort, ty) = (domain.sort(), Ty::of(domain));
        let expr = self.system.exprs.now(cells.first, sort);
        Lowered::Value(Typed { expr, ty })
    }

    /// The elements of an array, and the index of the first one.
    pub fn items(&mut self, array: &Lowered) -> Option<(i64, Vec<Lowered>)> {
        match array {
            Lowered::Array { low, items } => Some((*low, items.as_ref().clone())),
            Lowered::Cells(cells) => {
                let (low, length) = cells.dimensions[cells.depth];
                let items = (0..length as usize).map(|offset| self.cells(cells.element(offset))).collect();
                Some((low, items))
            }
            _ => None,
        }
    }

    /// `[a, b, c]`: values of one type, or arrays.
    pub fn array(&mut self, items: Vec<Lowered>, span: Span) -> Lowered {
        let mut ty: Option<Ty> = None;
        let mut arrays = 0;
        for item in &items {
            match item {
                Lowered::Value(typed) => match ty.map_or(Some(typed.ty), |ty| ty.join(typed.ty)) {
                    Some(joined) => ty = Some(joined),
                    None => return self.error(codes::TYPE, span, "the elements of this array have different types"),
                },
                Lowered::Array { .. } | Lowered::Cells(_) => arrays += 1,
                Lowered::Wrong => return Lowered::Wrong,
                _ => return self.error(codes::TYPE, span, "the elements of an array are values or arrays"),
            }
        }
        if arrays != 0 && arrays != items.len() {
            return self.error(codes::TYPE, span, "the elements of this array have different types");
        }
        Lowered::Array { low: 0, items: Rc::new(items) }
    }

    /// `base[index]`
    pub fn index(&mut self, base: Lowered, index: Lowered, span: Span, index_span: Span) -> Lowered {
        if matches!(base, Lowered::Wrong) || matches!(index, Lowered::Wrong) {
            return Lowered::Wrong;
        }
        let Some(index) = self.index_value(&index, index_span) else { return Lowered::Wrong };
        let bounds = match &base {
            Lowered::Cells(cells) => cells.dimensions[cells.depth],
            Lowered::Array { low, items } => (*low, items.len() as u32),
            _ => {
                let help = "one bit of a word is written w[3:3]";
                return self.error_with_help(codes::NOT_A_VALUE, span, "this is no array", help);
            }
        };
        match self.system.exprs.constant_value(index) {
            Some(at) => self.constant_index(base, bounds, at, index_span),
            None => self.dynamic_index(&base, index, span),
        }
    }

    fn index_value(&mut self, index: &Lowered, span: Span) -> Option<ExprId> {
        match index {
            Lowered::Value(typed) if !self.system.exprs.is_set(typed.expr) => match typed.ty {
                Ty::Integer => Some(typed.expr),
                Ty::Word(_) => Some(self.system.exprs.unary(Unary::ToInteger, typed.expr)),
                ty => {
                    self.error(codes::INDEX, span, format!("an index is an integer, not {}", ty.describe()));
                    None
                }
            },
            _ => {
                self.error(codes::INDEX, span, "an index is an integer");
                None
            }
        }
    }

    fn constant_index(&mut self, base: Lowered, bounds: (i64, u32), at: i64, span: Span) -> Lowered {
        let (low, length) = bounds;
        let high = low + i64::from(length) - 1;
        if !(low..=high).contains(&at) {
            let message = format!("the index {at} is outside the array, which goes from {low} to {high}");
            return self.error(codes::INDEX, span, message);
        }
        let offset = (at - low) as usize;
        match base {
            Lowered::Cells(cells) => self.cells(cells.element(offset)),
            Lowered::Array { items, .. } => items[offset].clone(),
            _ => Lowered::Wrong,
        }
    }

    fn dynamic_index(&mut self, base: &Lowered, index: ExprId, span: Span) -> Lowered {
        let Some((low, items)) = self.items(base) else { return Lowered::Wrong };
        if let Some(rows) = items.iter().map(|item| self.items(item)).collect::<Option<Vec<_>>>() {
            return self.dynamic_row(low, index, rows, span);
        }
        let mut elements = Vec::new();
        let mut ty: Option<Ty> = None;
        for item in &items {
            let Lowered::Value(typed) = item else {
                return self.error(codes::TYPE, span, "this is no array of values");
            };
            ty = Some(match ty.map_or(Some(typed.ty), |ty| ty.join(typed.ty)) {
                Some(ty) => ty,
                None => return self.error(codes::TYPE, span, "the elements of this array have different types"),
            });
            elements.push(typed.expr);
        }
        let Some(ty) = ty else { return Lowered::Wrong };
        Lowered::Value(Typed { expr: self.element(index, low, elements, span), ty })
    }

    /// A row chosen at run time: column by column.
    fn dynamic_row(&mut self, low: i64, index: ExprId, rows: Vec<(i64, Vec<Lowered>)>, span: Span) -> Lowered {
        let (column_low, width) = rows.first().map_or((0, 0), |(low, row)| (*low, row.len()));
        let mut columns = Vec::new();
        for column in 0..width {
            let items: Option<Vec<Lowered>> = rows.iter().map(|(_, row)| row.get(column).cloned()).collect();
            let Some(items) = items else { return self.error(codes::TYPE, span, "the rows have different lengths") };
            let column = Lowered::Array { low, items: Rc::new(items) };
            columns.push(self.dynamic_index(&column, index, span));
        }
        Lowered::Array { low: column_low, items: Rc::new(columns) }
    }

    /// One of several expressions: a table look-up if they are variables and constants, else a chain of cases.
    fn element(&mut self, index: ExprId, low: i64, elements: Vec<ExprId>, span: Span) -> ExprId {
        let exprs = &mut self.system.exprs;
        let simple =
            elements.iter().all(|id| matches!(exprs.node(*id), Node::Now(_) | Node::Next(_) | Node::Constant(_)));
        if simple {
            return exprs.select(index, low, elements);
        }
        let covered = matches!(exprs.sort(index), Sort::Integer { low: a, high: b }
            if low <= a && b < low + elements.len() as i64);
        // The only element of an array is chosen without looking at the index, which may fail all the same.
        let is_looked_at = elements.len() > 1 || exprs.is_total(index);
        let mut result = if covered && is_looked_at { None } else { Some(exprs.gap(span)) };
        for (offset, element) in elements.into_iter().enumerate().rev() {
            result = Some(match result {
                None => element,
                Some(otherwise) => {
                    let position = exprs.integer(low + offset as i64);
                    let here = exprs.equal(index, position);
                    exprs.ite(here, element, otherwise)
                }
            });
        }
        result.unwrap_or_else(|| exprs.gap(span))
    }

    /// `word[high:low]`
    pub fn bits(&mut self, word: Operand, high: Operand, low: Operand, span: Span) -> Lowered {
        let (Some(typed), Some(h), Some(l)) = (self.single(&word), self.single(&high), self.single(&low)) else {
            return Lowered::Wrong;
        };
        let Ty::Word(sort) = typed.ty else {
            return self.error(
                codes::TYPE,
                span,
                format!("bits can be selected from words, not {}", typed.ty.describe()),
            );
        };
        let constants = (self.system.exprs.constant_value(h.expr), self.system.exprs.constant_value(l.expr));
        let ((Some(high), Some(low)), Ty::Integer, Ty::Integer) = (constants, h.ty, l.ty) else {
            return self.error(codes::CONSTANT, span, "the ends of a bit selection are integer constants");
        };
        if low < 0 || high < low || high >= i64::from(sort.width) {
            let message = format!("bits {high} to {low} cannot be selected from a word of {} bits", sort.width);
            return self.error(codes::WIDTH, span, message);
        }
        let op = Unary::Extract { high: high as u32, low: low as u32 };
        let expr = self.system.exprs.unary(op, typed.expr);
        self.typed_word(expr)
    }
}
