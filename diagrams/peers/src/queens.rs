//! Queens on a board that do not attack each other.

use super::Package;

/// In how many ways a board of this size has a queen in each row.
pub fn solutions<P: Package>(size: u32) -> f64 {
    let mut package = P::new(size * size);
    let mut all = package.always();
    for row in 0..size {
        for column in 0..size {
            let quiet = unattacked(&mut package, size, (row, column));
            all = package.and(&all, &quiet);
        }
        let placed = in_row(&mut package, size, row);
        all = package.and(&all, &placed);
    }
    package.count(&all)
}

/// One of the row's squares has a queen.
fn in_row<P: Package>(package: &mut P, size: u32, row: u32) -> P::Function {
    let mut any = package.variable(row * size);
    for column in 1..size {
        let here = package.variable(row * size + column);
        any = package.or(&any, &here);
    }
    any
}

/// A queen on a square attacks no other one.
fn unattacked<P: Package>(package: &mut P, size: u32, (row, column): (u32, u32)) -> P::Function {
    let queen = package.variable(row * size + column);
    let mut quiet = package.not(&queen);
    let mut others = package.always();
    for square in 0..size * size {
        let (down, across) = ((square / size).abs_diff(row), (square % size).abs_diff(column));
        if (down, across) != (0, 0) && (down == 0 || across == 0 || down == across) {
            let other = package.variable(square);
            let free = package.not(&other);
            others = package.and(&others, &free);
        }
    }
    quiet = package.or(&quiet, &others);
    quiet
}
