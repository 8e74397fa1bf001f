import { testLikeness } from './likeness.js'

testLikeness(1)
