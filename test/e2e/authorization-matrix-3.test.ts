import { testMatrix } from '../src/authorization-matrix.js'

testMatrix(2, 4)
