chan K=[1] of {byte}; chan G=K; byte b; init { K!1; G?b; assert(b==1) }
