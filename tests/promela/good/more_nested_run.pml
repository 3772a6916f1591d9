byte n; proctype A(){ run B(); n++ } proctype B(){ n++ } init { atomic { run A(); run A() }; (_nr_pr==1); n=0 }
