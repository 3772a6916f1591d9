proctype Producer() { skip }
init { run Produce() }
