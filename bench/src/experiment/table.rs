//! A large table of dining philosophers in SMV, for measuring how fast formulas are made.

use std::fmt::Write;

/// This many philosophers, with four bits each. They put their forks down one after the other, and no neighbours of the
/// first one eat while it does.
pub fn smv(philosophers: usize) -> String {
    let mut text = String::from(
        "MODULE philosopher(left, right)
VAR pc : {thinking, hungry, has_left, eating, done};
ASSIGN
  init(pc) := thinking;
  next(pc) := case
    pc = thinking : hungry;
    pc = hungry & !left : has_left;
    pc = has_left & !right : eating;
    pc = eating : done;
    pc = done : thinking;
    TRUE : pc;
  esac;
  next(left) := case pc = hungry : TRUE; pc = done : FALSE; TRUE : left; esac;
  next(right) := case pc = has_left : TRUE; pc = eating : FALSE; TRUE : right; esac;

MODULE main
VAR
",
    );
    let last = philosophers - 1;
    let _ = writeln!(text, "  fork : array 0..{last} of boolean;");
    for number in 0..philosophers {
        let right = (number + 1) % philosophers;
        let _ = writeln!(text, "  p{number} : process philosopher(fork[{number}], fork[{right}]);");
    }
    text.push_str("ASSIGN\n");
    for number in 0..philosophers {
        let _ = writeln!(text, "  init(fork[{number}]) := FALSE;");
    }
    text + "INVARSPEC NAME neighbours := !(p0.pc = eating & p1.pc = eating);\n"
}
