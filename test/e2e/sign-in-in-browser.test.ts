import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { signInByDevice } from '@figbase/kit/testing'
import {
  type Browser,
  openBrowser,
  type Person,
  withoutBrowser,
} from '@figbase/kit/testing/chromium'
import { client } from '../src/client.js'
import { deployment, LATEST } from '../src/deployment.js'
import { png } from '../src/images.js'
import { image, newPlace, publish } from '../src/publish.js'

const { issuer = '' } = deployment
const skip = withoutBrowser || (issuer === '' && 'needs the OpenID Connect provider of the tests')

let browser: Browser
before(async () => {
  if (!skip) browser = await openBrowser()
})
after(() => browser?.[Symbol.asyncDispose]())

const text = async (person: Person) => String(await person.read('document.body.innerText'))
const address = async (person: Person) => new URL(String(await person.read('location.href')))

/** Saves screenshots to the folder `SCREENSHOTS`, if it is set. */
async function saveScreenshot(person: Person, name: string) {
  const folder = process.env.SCREENSHOTS
  if (folder) await writeFile(`${folder}/sign-in-${name}.png`, await person.screenshot())
}

test('a user without access signs in with the provider, and sees the page', {
  skip,
}, async () => {
  const name = `grace${randomBytes(6).toString('hex')}`
  const { access } = await signInByDevice({ issuer }, name)
  const api = client(LATEST, `Bearer ${access}`)
  const { figure } = await newPlace(api)
  const { api_id } = await publish(api, figure.api_id, [image(png(600, 400))])
  const page = new URL(`/r/${api_id}`, deployment.origin)

  await browser.use(async (person) => {
    await person.go(page)
    assert.match(await text(person), /Sign in to view this page/)
    await saveScreenshot(person, 'closed')
    await person.click('main a[href^="/sign-in/"]')
    assert.match(await text(person), /Sign in with Example University/)
    await saveScreenshot(person, 'form')

    await person.click('a.button')
    assert.equal((await address(person)).origin, issuer)
    await person.fill({ login: name, password: 'x' })
    await person.click('button[type=submit]')
    await person.click('button[type=submit]')
    assert.equal((await address(person)).href, page.href)
    assert.match(await text(person), /Revision 1 of a figure/)
    assert.equal(await person.read('document.images[0].naturalWidth > 0'), true)
    assert.equal(
      await person.read('document.cookie'),
      '',
      'scripts should not be able to read the session',
    )
    await saveScreenshot(person, 'page')

    await person.click('header a[href="/account/"]')
    assert.ok((await text(person)).includes(`as ${name}`))
    await saveScreenshot(person, 'signed-in')
    await person.click('form[action="/sign-out/"] button')
    assert.match(await text(person), /Username/)
    await person.go(page)
    assert.match(await text(person), /Sign in to view this page/)
    // The error statuses of the page before and after are expected.
    const faults = person.problems.filter(
      (problem) => problem.includes(page.host) && !problem.includes('status of 401'),
    )
    assert.deepEqual(faults, [])
  })
})

test('the sign-in form fits a small phone', { skip }, async () => {
  const url = new URL('/sign-in/', deployment.origin)
  const { problems, scrollWidth } = await browser.visit(url, { width: 320, height: 640 })
  assert.deepEqual(problems, [])
  assert.ok(scrollWidth <= 320)
})
