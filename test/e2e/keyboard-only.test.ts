import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Browser, openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { client } from '../src/client.js'
import { newComment } from '../src/comments.js'
import { LATEST } from '../src/deployment.js'
import { png } from '../src/images.js'
import { type KeyboardUser, keyboardUser } from '../src/keyboard.js'
import { linkIn, mailTo, withoutMail } from '../src/mails.js'
import { code, image, newPlace, type Place, publish } from '../src/publish.js'
import type { User } from '../src/resources.js'
import { adminPassword, signInStaff, withoutStaff } from '../src/staff.js'
import { until } from '../src/tasks.js'
import { newUser, signUp, type TestUser } from '../src/users.js'

const skip = withoutBrowser || withoutMail

let browser: Browser
/** A picture in a folder of its own. */
let file: string
before(async () => {
  if (skip) return
  browser = await openBrowser()
  file = join(await mkdtemp(join(tmpdir(), 'figbase-keyboard-')), 'wide.png')
  await writeFile(file, png(600, 300))
})
after(async () => {
  await browser?.[Symbol.asyncDispose]()
  if (file) await rm(dirname(file), { recursive: true })
})

for (const withScript of [true, false]) {
  const how = withScript ? 'with script' : 'without script'
  test(`a person's day, with the keyboard only, ${how}`, { skip }, async () => {
    const alice = await signUp()
    const place = await newPlace(alice.api)
    for (const size of [400, 500]) {
      const line = Buffer.from(`plot(width=${size})`)
      await publish(alice.api, place.figure.api_id, [image(png(size, 300)), code(line)])
    }
    const ofBob = newUser()
    await use(withScript, (user) => inviteFromPages(user, alice, place, ofBob.email))
    const invitation = linkIn(await mailTo(ofBob.email, /invites you to “Field trip”/))
    await use(withScript, async (bob) => {
      await signUpBy(bob, invitation, ofBob)
      await findFigure(bob, place)
      await compareRevisions(bob)
      await comment(bob)
      await publishFile(bob, withScript)
      if (withScript) await seeCommentOf(alice, bob, place)
      const token = await makeKey(bob)
      await publishWithKey(token, place)
      await lookAtUsage(bob)
      await restoreDeleted(bob)
    })
  })
}

test("an administrator's day, with the keyboard only", {
  skip: skip || withoutStaff,
}, async () => {
  const bob = await signUp()
  const staff = await signInStaff()
  const { body: before } = await staff.get<{ announcement: string }>('settings/')
  const password = await adminPassword()
  try {
    await use(true, async (admin) => {
      await signIn(admin, { username: 'admin', password })
      await announce(admin)
      await deactivate(admin, bob, password)
    })
  } finally {
    await staff.patch('settings/', before)
  }
})

/** Uses a new window, in which no page may have an error. */
async function use(withScript: boolean, work: (user: KeyboardUser) => Promise<void>) {
  await browser.use(async (person) => {
    if (!withScript) await person.disableScripts()
    await person.resize({ width: 1000, height: 700 })
    await work(keyboardUser(person))
    assert.deepEqual(person.problems, [])
  })
}

async function signIn(
  user: KeyboardUser,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
) {
  await user.go('/')
  await user.follow('link', 'Sign in')
  await user.fill('Username', username)
  await user.fill('Password', password)
  await user.follow('button', 'Sign in')
}

async function inviteFromPages(
  user: KeyboardUser,
  alice: TestUser,
  { workspace }: Place,
  email: string,
) {
  await signIn(user, alice)
  await user.follow('link', new RegExp(workspace.name))
  await user.follow('link', 'Members')
  await user.fill('E-mail address', email)
  await user.choose('Role', /^Creator/i)
  await user.follow('button', 'Invite')
  assert.match(await user.text(), /The invitation is sent/)
}

async function signUpBy(
  user: KeyboardUser,
  invitation: string,
  person: ReturnType<typeof newUser>,
) {
  await user.go(invitation)
  await user.follow('link', 'Create one')
  await user.fill('Username', person.username)
  await user.fill('E-mail address', person.email)
  await user.fill('Password', person.password)
  await user.fill('First name', person.first_name)
  await user.fill('Last name', person.last_name)
  await user.follow('button', 'Create the account')
  await user.follow('button', 'Accept the invitation')
}

async function findFigure(user: KeyboardUser, { figure }: Place) {
  // Until the search knows the figure.
  do {
    await user.go('/')
    await user.fill('What are you looking for?', figure.name)
    await user.follow('button', 'Search')
  } while (!(await user.text()).includes(figure.name))
  await user.follow('link', new RegExp(figure.name))
  assert.equal(await user.path(), `/figure/${figure.api_id}/`)
}

async function compareRevisions(user: KeyboardUser) {
  await user.follow('link', 'Compare with revision 1')
  const text = await user.text()
  assert.match(text, /plot\(width=400\)/)
  await user.follow('link', /figure/i)
}

async function comment(user: KeyboardUser) {
  await user.follow('link', 'Write a comment')
  await user.fill('Comment', 'Is the **width** right?')
  await user.follow('button', 'Send')
}

async function publishFile(user: KeyboardUser, withScript: boolean) {
  await user.follow('link', 'Publish a revision')
  await user.attach(withScript ? /^Drop files here/ : /^Picture/, [file])
  await user.follow('button', 'Publish')
  assert.match(await user.text(), /Revision 3 of a figure/)
}

/** The comment of another person appears while the page is read. */
async function seeCommentOf({ api }: TestUser, user: KeyboardUser, { figure }: Place) {
  await user.go(`/figure/${figure.api_id}/`)
  await newComment(api, 'figure', figure.api_id, 'The width is right now.')
  await until(async () => (await user.text()).includes('The width is right now.'), 'the comment')
}

async function lookAtUsage(user: KeyboardUser) {
  await user.go('/account/')
  await user.follow('link', 'Usage')
  assert.match(await user.text(), /Your activities/)
}

/** Makes an API key and returns its token, which is shown once. */
async function makeKey(user: KeyboardUser) {
  await user.go('/account/api-keys/')
  await user.fill('Name', 'laptop')
  await user.follow('button', 'Create the key')
  const [token = ''] = /figbase_[\w-]+/.exec(await user.text()) ?? []
  return token
}

async function publishWithKey(token: string, { figure }: Place) {
  const caller = client(LATEST, `Token ${token}`)
  const { api_id } = await publish(caller, figure.api_id, [image(png(300, 200))])
  assert.ok(api_id)
}

async function restoreDeleted(user: KeyboardUser) {
  await user.go('/')
  await user.follow('link', 'New workspace')
  await user.fill('Name', 'Sketches')
  await user.follow('button', 'Create')
  await user.follow('link', 'New analysis')
  await user.fill('Name', 'First try')
  await user.follow('button', 'Create')
  const analysis = await user.path()
  await user.follow('link', 'Delete')
  await user.follow('button', 'Delete')
  await user.follow('button', 'Restore First try')
  assert.equal(await user.path(), analysis)
}

async function announce(admin: KeyboardUser) {
  await admin.follow('link', 'admin')
  await admin.follow('link', 'Administration')
  await admin.fill('Announcement on all pages', 'Maintenance at noon')
  await admin.follow('button', 'Save')
  assert.match(await admin.text(), /The settings are saved/)
}

async function deactivate(admin: KeyboardUser, { username, api }: TestUser, password: string) {
  await admin.follow('link', 'Accounts')
  await admin.fill('Username, name or e-mail address', username)
  await admin.follow('button', 'Search')
  await admin.follow('link', username)
  await admin.fill('Your password', password)
  await admin.follow('button', 'Deactivate')
  assert.match(await admin.text(), /inactive/)
  const { body } = await api.get<User>(`user/${username}/`)
  assert.equal(body.is_active, false)
}
