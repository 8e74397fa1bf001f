import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { removeText } from './remove-text.js'

const removed = (chunks: string[], wanted: string) =>
  text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).compose(removeText(wanted)))

test('removes a text wherever the chunks begin', async () => {
  const whole = 'secretA secreB secsecretsecret é secret'
  for (let first = 0; first <= whole.length; first++) {
    for (let second = first; second <= whole.length; second += 3) {
      const chunks = [whole.slice(0, first), whole.slice(first, second), whole.slice(second)]
      assert.equal(await removed(chunks, 'secret'), 'A secreB sec é ', `${first} ${second}`)
    }
  }
  assert.equal(await removed([...whole], 'secret'), 'A secreB sec é ')
  assert.equal(await removed([], 'secret'), '')
  assert.equal(await removed(['sec'], 'secret'), 'sec')
})
