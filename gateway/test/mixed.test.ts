import { test } from 'node:test'
import { checkMixed, sendMixed } from './mixed.js'

test('1000 mixed requests: each is answered, and a connection that ends was said to end', async () => {
  checkMixed(await sendMixed(1000, 1))
})
