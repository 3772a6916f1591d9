chan K[2]=[1] of {byte}; chan G=K[1]; chan H=G; byte b; active proctype P() { chan l = H; l!1; K[1]?b; H!2; G?b; G=K[0]; G!3; K[0]?b }
