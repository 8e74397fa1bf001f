import { test } from 'node:test'
import { checkMixed, sendMixed } from './mixed.js'

test('answers 1000 mixed requests, and announces each closed connection', async () => {
  checkMixed(await sendMixed(1000, 1))
})
