import { testMatrix } from '../src/authorization-matrix.js'

testMatrix(0, 4)
