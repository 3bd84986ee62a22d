module serbench

go 1.27
