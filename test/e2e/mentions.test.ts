import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { messageOf, type Refusal } from '../src/client.js'
import { listComments, newComment, type TargetType } from '../src/comments.js'
import { png } from '../src/images.js'
import { linkIn, mailsTo, mailTo, tokenIn, withoutMail } from '../src/mails.js'
import { image, newAsset, newFigure, newPlace, type Place, publish } from '../src/publish.js'
import type { User } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

const skip = withoutMail

let author: TestUser
let bob: TestUser
let stranger: TestUser
/** Mentioned last: when this user has received the mail, all others have received theirs. */
let last: TestUser
let place: Place

before(async () => {
  if (skip) return
  author = await signUp()
  place = await newPlace(author.api)
  bob = await newMember()
  last = await newMember()
  stranger = await newRecipient()
})

const addressOf = ({ username }: TestUser) => `${username}@example.org`
const at = ({ username }: TestUser) => `@${username}`

/** A user with a confirmed address. */
async function newRecipient(): Promise<TestUser> {
  const person = await signUp()
  await confirmAddress(person)
  return person
}

async function confirmAddress(person: TestUser) {
  const token = tokenIn(await mailTo(addressOf(person), 'Confirm your e-mail address'))
  await person.api.post(`user/${person.username}/verify_email/`, { token }, 200)
}

/** A user with a confirmed address and access to the workspace. */
async function newMember(): Promise<TestUser> {
  const person = await newRecipient()
  await addMember(person)
  return person
}

async function addMember({ username }: TestUser) {
  const member = { username, membership_type: 'viewer' }
  await author.api.post(`workspace/${place.workspace.api_id}/members/add/`, member, 200)
}

type Target = { type: TargetType; id: string; subject: string }

/** A figure with a unique name, which identifies the mails of a test. */
async function newTarget(name: string): Promise<Target> {
  const { api_id } = await newFigure(author.api, place.analysis.api_id, name)
  const subject = `Ada Łovelace mentioned you on the figure “${name}”`
  return { type: 'figure', id: api_id, subject }
}

const post = ({ type, id }: Target, content: string) => newComment(author.api, type, id, content)
const put = (id: string, content: string, status = 200) =>
  author.api.put<Refusal>(`comment/${id}/`, { content }, status)

/** Resolves when all mentioned users have received mail. */
async function write(target: Target, content: string): Promise<void> {
  await post(target, `${content}\n\n${at(last)}`)
  await mailTo(addressOf(last), target.subject)
}

const mailsAbout = async (person: TestUser, { subject }: Target) =>
  (await mailsTo(addressOf(person))).filter((mail) => mail.subject === subject)
const countOf = async (person: TestUser, target: Target) =>
  (await mailsAbout(person, target)).length

test('sends a mentioned member one mail with the comment and a link to it', {
  skip,
}, async () => {
  const target = await newTarget('Diatoms')
  await write(target, `Look, ${at(bob).toUpperCase()}: *two* peaks.\n\n${at(bob)}?`)
  const mail = await mailTo(addressOf(bob), target.subject)
  const text = mail.text ?? ''
  assert.match(text, /^Ada Łovelace mentioned you in a comment on the figure “Diatoms” on Figbase:/)
  assert.match(text, /\n> Look, @E2E[0-9A-F]+: \*two\* peaks\.\n> @e2e[0-9a-f]+\?\n> @e2e/)
  assert.match(text, /\/account\/notifications\/\n/)
  assert.equal(linkIn(mail), `/figure/${target.id}`)
  assert.equal(await countOf(bob, target), 1)
})

test('sends no mail to users without access, the author or unknown names; access by link is not enough', {
  skip,
}, async () => {
  await confirmAddress(author)
  const target = await newTarget('Krill')
  const names = `${at(stranger)} ${at(author)} @nobody.at.all`
  await write(target, names)
  const share = `figure/${target.id}/share/link/`
  await author.api.post(share, { enabled: true }, 200)
  await stranger.api.get(`figure/${target.id}/`)
  await post(target, `${names} ${at(last)}`)
  await mailTo(addressOf(last), target.subject, 2)
  assert.equal(await countOf(stranger, target), 0)
  assert.equal(await countOf(author, target), 0)
})

test('sends mail to users with whom only the object is shared, also for its revisions', {
  skip,
}, async () => {
  const guest = await newRecipient()
  const target = await newTarget('Copepods')
  const on = { username: guest.username, sharing_enabled: true }
  await author.api.post(`figure/${target.id}/share/user/`, on, 200)
  await post(target, at(guest))
  assert.equal(linkIn(await mailTo(addressOf(guest), target.subject)), `/figure/${target.id}`)
  const revision = await publish(author.api, target.id, [image(png(3, 2))])
  const subject = 'Ada Łovelace mentioned you on a revision of “Copepods”'
  await post({ type: 'figure_revision', id: revision.api_id, subject }, at(guest))
  assert.equal(linkIn(await mailTo(addressOf(guest), subject)), `/r/${revision.api_id}`)

  const { api_id } = await newAsset(author.api, place.workspace.api_id, { name: 'Net' })
  const onAsset = 'Ada Łovelace mentioned you on the asset “Net”'
  const asset: Target = { type: 'asset', id: api_id, subject: onAsset }
  await write(asset, at(guest))
  assert.equal(linkIn(await mailTo(addressOf(last), onAsset)), `/asset/${api_id}`)
  assert.equal(await countOf(guest, asset), 0)
})

test('the profile disables and enables mails about mentions', { skip }, async () => {
  const person = await newMember()
  const path = `user/${person.username}/`
  const set = async (mention_emails: unknown, status = 200) =>
    person.api.patch<User & Refusal>(path, { user_profile: { mention_emails, more: 1 } }, status)
  for (const value of ['no', 0, null, [false]]) {
    assert.match(messageOf(await set(value, 400)), /user_profile\.mention_emails/)
  }
  assert.deepEqual((await person.api.get<User>(path)).body.user_profile, {})
  const { body } = await set(false)
  assert.deepEqual(body.user_profile, { mention_emails: false, more: 1 })
  const target = await newTarget('Whales')
  await write(target, at(person))
  assert.equal(await countOf(person, target), 0)
  await set(true)
  await post(target, at(person))
  await mailTo(addressOf(person), target.subject)
})

test('sends no mail to unconfirmed addresses', { skip }, async () => {
  const person = await signUp()
  await addMember(person)
  const target = await newTarget('Squids')
  await write(target, at(person))
  assert.equal(await countOf(person, target), 0)
})

test('an edit sends mail to newly mentioned users', { skip }, async () => {
  const late = await newMember()
  const target = await newTarget('Eels')
  const { id } = await post(target, at(bob))
  await mailTo(addressOf(bob), target.subject)
  await put(id, `${at(bob)} ${at(late)}`)
  await mailTo(addressOf(late), target.subject)
  await put(id, 'nobody')
  await put(id, `${at(bob)} ${at(late)} ${at(last)}`)
  await mailTo(addressOf(last), target.subject)
  assert.deepEqual([await countOf(bob, target), await countOf(late, target)], [1, 1])
})

test('code, links and addresses contain no mentions', { skip }, async () => {
  const target = await newTarget('Rays')
  const content = [
    `\`${at(bob)}\` x${at(bob)} [here](https://example.org/${at(bob)} "${at(bob)}")`,
    `\`\`\`python\n${at(bob)}\n\`\`\``,
    `    ${at(bob)}`,
    `<https://example.org/?q=${at(bob)}>`,
  ]
  await write(target, content.join('\n\n'))
  assert.equal(await countOf(bob, target), 0)
  await post(target, `**${at(bob)}**`)
  await mailTo(addressOf(bob), target.subject)
})

test('escapes hostile names of users and figures in mails', {
  skip,
}, async () => {
  const hostile = 'X\r\nBcc: eve@example.org\r\n\r\n<img src=x onerror=alert(1)>\u202e\u2066'
  const shown = 'X Bcc: eve@example.org <img src=x onerror=alert(1)>'
  const eve = await signUp()
  const names = { first_name: '<b>"Eve"</b>', last_name: "O'<script>" }
  await eve.api.patch(`user/${eve.username}/`, names)
  await addMember(eve)
  const target = await newTarget(hostile)
  const content = `${at(bob)}\n</blockquote><script>alert(1)</script>\n-- \n\u202eend`
  await newComment(eve.api, target.type, target.id, content)
  const subject = `<b>"Eve"</b> O'<script> mentioned you on the figure “${shown}”`
  const mail = await mailTo(addressOf(bob), subject)
  assert.equal(mail.bcc, undefined)
  assert.deepEqual(
    [mail.to ?? []].flat().map(({ text }) => text),
    [addressOf(bob)],
  )
  for (const part of [mail.text ?? '', mail.html || '']) {
    assert.doesNotMatch(part, /^Bcc|[\p{Cf}\p{Cs}]/mu)
  }
  assert.doesNotMatch(mail.html || '', /<img|<script|<b>/)
  assert.match(mail.text ?? '', /\n> <\/blockquote><script>alert\(1\)<\/script>\n> --\n> end\n/)
})

test('sends one mail each to fifty users mentioned in one comment', {
  skip,
}, async (t) => {
  const people = await Promise.all(Array.from({ length: 50 }, () => signUp()))
  for (const person of people) {
    await confirmAddress(person)
    await addMember(person)
  }
  const target = await newTarget('Shoals')
  const content = people.map(at).join(' ')
  const before = performance.now()
  const { id } = await post(target, content)
  const answered = performance.now()
  for (const person of people) await mailTo(addressOf(person), target.subject)
  const mailed = performance.now()
  t.diagnostic(
    `50 mentions: answered after ${(answered - before).toFixed(0)} ms, all mails there after ${(mailed - before).toFixed(0)} ms`,
  )
  for (const text of [`${content} @one.more`, '@one.more']) {
    assert.match(messageOf(await put(id, text, 400)), /content/)
  }
  await put(id, `${content} again`)
  for (const person of people) assert.equal(await countOf(person, target), 1)
})

test('rejects a comment that mentions 51 users', { skip }, async () => {
  const target = await newTarget('Swarms')
  const names = Array.from({ length: 51 }, (_, n) => `@somebody${n}`)
  const refused = { target_type: 'figure', target_id: target.id, content: names.join(' ') }
  assert.match(messageOf(await author.api.post<Refusal>('comment/', refused, 400)), /content/)
  assert.deepEqual(await listComments(author.api, 'figure', target.id), [])
  await post(target, names.slice(1).join(' '))
})
