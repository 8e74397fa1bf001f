import { testMatrix } from '../src/authorization-matrix.js'

testMatrix(1, 4)
