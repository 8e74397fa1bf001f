import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Browser, openBrowser, withoutBrowser as skip } from '@figbase/kit/testing/chromium'
import { at } from '../src/pages.js'
import { signUp } from '../src/users.js'

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.[Symbol.asyncDispose]())

test('the token of a new API key has a button that copies it', { skip }, async () => {
  const { username, password } = await signUp()
  await browser.use(async (person) => {
    await person.go(at('/sign-in/?next=/account/api-keys/'))
    await person.fill({ username, password })
    await person.click('button[type=submit]')
    await person.fill({ name: 'laptop' })
    await person.click('form[action="/account/api-keys/"] button')
    const button = `document.querySelector('.copyable > button')`
    assert.equal(await person.read(`${button}.checkVisibility()`), true)
    const copied = `(async () => {
      let copied = ''
      navigator.clipboard.writeText = async (text) => { copied = text }
      ${button}.click()
      await new Promise((resolve) => setTimeout(resolve))
      return [copied, ${button}.textContent]
    })()`
    const token = await person.read(`document.querySelector('.copyable code').textContent`)
    assert.match(String(token), /^figbase_/)
    assert.deepEqual(await person.read(copied), [token, 'Copied'])
    assert.deepEqual(person.problems, [])
  })
})
