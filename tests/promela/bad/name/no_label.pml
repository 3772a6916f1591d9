active proctype P() { goto nowhere; skip }
