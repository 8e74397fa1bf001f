import { testLikeness } from './likeness.js'

// All of them: likeness.long.test.ts.
testLikeness(4)
