/* The constants of different mtypes have the same values. */
mtype = { red, green }
mtype:fruit = { apple, pear }
chan c = [1] of { mtype:fruit, mtype };
mtype:fruit f = pear;
active proctype P() { mtype colour = green; c!apple,colour; c?f,colour; printf("%e %e", f, colour); assert(f == 1) }
