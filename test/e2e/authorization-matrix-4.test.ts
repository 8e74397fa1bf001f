import { testMatrix } from '../src/authorization-matrix.js'

testMatrix(3, 4)
