//! Reading AIGER 1.9 back, as strictly as the format says.

use super::netlist::{Netlist, Register};

/// Reads `aag` or `aig`.
pub fn parse(bytes: &[u8]) -> Netlist {
    let mut reader = Reader { bytes, at: 0 };
    let header = reader.line();
    let (format, numbers) = header.split_once(' ').expect("a header");
    let [variables, inputs, latches, outputs, gates, bad] = numbers_of(numbers)[..] else { panic!("{header}") };
    assert_eq!((variables, outputs, bad), (inputs + latches + gates, 0, 1), "{header}");
    let is_ascii = match format {
        "aag" => true,
        "aig" => false,
        other => panic!("{other}"),
    };
    let mut netlist = Netlist { variables, ..Netlist::default() };
    for input in 1..=inputs {
        if is_ascii {
            assert_eq!(numbers_of(&reader.line()), [2 * input]);
        }
        netlist.inputs.push(2 * input);
    }
    for latch in 1..=latches {
        let literal = 2 * (inputs + latch);
        let mut numbers = numbers_of(&reader.line());
        if is_ascii {
            assert_eq!(numbers.remove(0), literal);
        }
        let reset = match numbers[1..] {
            [] | [0] => Some(false),
            [1] => Some(true),
            [itself] if itself == literal => None,
            ref other => panic!("no reset value: {other:?}"),
        };
        netlist.registers.push(Register { literal, next: numbers[0], reset });
    }
    netlist.bad = numbers_of(&reader.line())[0];
    for gate in 1..=gates {
        let out = 2 * (inputs + latches + gate);
        let [a, b] = if is_ascii {
            let [found, a, b] = numbers_of(&reader.line())[..] else { panic!("no gate") };
            assert_eq!(found, out);
            [a, b]
        } else {
            let a = out - reader.delta();
            [a, a - reader.delta()]
        };
        assert!(out > a && a >= b, "a gate comes after what it reads: {out} {a} {b}");
        netlist.gates.push([out, a, b]);
    }
    read_names(&mut reader, &mut netlist);
    netlist
}

fn read_names(reader: &mut Reader<'_>, netlist: &mut Netlist) {
    loop {
        let line = reader.line();
        if line == "c" {
            return;
        }
        let (place, name) = line.split_once(' ').expect("a symbol");
        let (kind, index) = place.split_at(1);
        let index: usize = index.parse().expect("a number");
        match kind {
            "i" => netlist.names.insert(netlist.inputs[index], name.to_owned()),
            "l" => netlist.names.insert(netlist.registers[index].literal, name.to_owned()),
            _ => None,
        };
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn line(&mut self) -> String {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n').expect("a line");
        self.at += end + 1;
        String::from_utf8(rest[..end].to_vec()).expect("text")
    }

    fn delta(&mut self) -> u32 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.bytes[self.at];
            self.at += 1;
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return number;
            }
        }
    }
}

fn numbers_of(line: &str) -> Vec<u32> {
    line.split(' ').map(|number| number.parse().unwrap_or_else(|_| panic!("no number: {line}"))).collect()
}
