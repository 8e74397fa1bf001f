import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Refusal } from '../src/client.js'
import { newComment } from '../src/comments.js'
import { deployment } from '../src/deployment.js'
import { mailsTo, mailTo, tokenIn, withoutMail } from '../src/mails.js'
import { newFigure, newOrganization, newPlace, newWorkspace, type Place } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

const skip = withoutMail
const path = 'user_profile/notifications/'

type Settings = Record<string, unknown>

let owner: TestUser
let place: Place

before(async () => {
  if (skip) return
  owner = await signUp()
  place = await newPlace(owner.api)
})

const addressOf = ({ username }: TestUser) => `${username}@example.org`

async function newRecipient(): Promise<TestUser> {
  const person = await signUp()
  const token = tokenIn(await mailTo(addressOf(person), 'Confirm your e-mail address'))
  await person.api.post(`user/${person.username}/verify_email/`, { token }, 200)
  return person
}

const addMember = ({ username }: TestUser) =>
  owner.api.post(
    `workspace/${place.workspace.api_id}/members/add/`,
    { username, membership_type: 'viewer' },
    200,
  )

test('people are notified at once of members, shares and replies', { skip }, async () => {
  const bob = await newRecipient()
  await addMember(bob)
  const member = `Ada Łovelace made you a member of the workspace “${place.workspace.name}”`
  await mailTo(addressOf(bob), member)

  const guest = await newRecipient()
  const { api_id } = await newFigure(owner.api, place.analysis.api_id, 'Plankton')
  const share = { username: guest.username, sharing_enabled: true }
  await owner.api.post(`figure/${api_id}/share/user/`, share, 200)
  const shared = await mailTo(
    addressOf(guest),
    'Ada Łovelace shared the figure “Plankton” with you',
  )
  assert.match(shared.text ?? '', new RegExp(`/figure/${api_id}\n`))
  await owner.api.post(`figure/${api_id}/share/user/`, share, 200)

  const comment = await newComment(bob.api, 'figure', api_id, 'Two peaks?')
  const reply = await newComment(owner.api, 'figure', api_id, 'One', comment.id)
  const mail = await mailTo(addressOf(bob), 'Ada Łovelace replied to you on the figure “Plankton”')
  assert.match(mail.text ?? '', /\n> One\n/)
  assert.match(mail.text ?? '', new RegExp(`#comment-${reply.id}`))
  const again = (await mailsTo(addressOf(guest))).filter(
    ({ subject }) => subject === shared.subject,
  )
  assert.equal(again.length, 1)
})

test('a mail has a link that ends its kind without a sign-in, by a page and by a mail program', {
  skip,
}, async () => {
  const bob = await newRecipient()
  await addMember(bob)
  const mail = await mailTo(addressOf(bob), /made you a member/)
  const headers = mail.headerLines.map(({ line }) => line.replaceAll(/\s+/g, ' '))
  assert.ok(
    headers.includes('List-Unsubscribe-Post: List-Unsubscribe=One-Click'),
    headers.join('\n'),
  )
  const url = new URL(/^List-Unsubscribe: <(.*)>$/m.exec(headers.join('\n'))?.[1] ?? '')
  const link = new URL(url.pathname, deployment.origin).href
  const shown = await fetch(link)
  assert.equal(shown.status, 200)
  assert.match(await shown.text(), /<form method="post">/)
  const settings = async () => (await bob.api.get<Settings>(path)).body
  assert.equal((await settings()).share, 'at_once')
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  assert.equal((await fetch(link, { method: 'POST', body })).status, 200)
  assert.deepEqual([(await settings()).share, (await settings()).reply], ['none', 'at_once'])
  await bob.api.patch(path, { share: 'digest' }, 200)
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  assert.equal((await fetch(link, { method: 'POST', body: form })).status, 200)
  assert.equal((await settings()).share, 'none')
  const forged = link.replace(/.{4}\/$/, 'AAAA/')
  assert.equal((await fetch(forged, { method: 'POST', body })).status, 400)
})

test('the settings have defaults, and are changed one by one', { skip }, async () => {
  const { api, username } = await signUp()
  assert.deepEqual((await api.get<Settings>(path)).body, {
    ...{ mention: 'at_once', reply: 'at_once', share: 'at_once' },
    ...{ failed_task: 'digest', stale_figure: 'digest' },
    ...{ digest_day: 'daily', digest_hour: 8, time_zone: 'UTC' },
    ...{ digest_workspaces: [], digest_organizations: [] },
  })
  const changed = { digest_day: 'friday', time_zone: 'Europe/Berlin', mention: 'none' }
  const { body } = await api.patch<Settings>(path, changed, 200)
  assert.deepEqual(
    [body.digest_day, body.digest_hour, body.time_zone, body.mention, body.reply],
    ['friday', 8, 'Europe/Berlin', 'none', 'at_once'],
  )
  const { body: user } = await api.get<{ user_profile: object }>(`user/${username}/`)
  assert.deepEqual(user.user_profile, { mention_emails: false })
  for (const [member, value] of Object.entries({
    ...{ digest_workspaces: [place.workspace.api_id] },
    ...{ mention: 'often', digest_hour: 24, digest_day: 1, time_zone: 'Mars', other: 'digest' },
  })) {
    const { body: refusal } = await api.patch<Refusal>(path, { [member]: value }, 400)
    assert.match(JSON.stringify(refusal), new RegExp(member))
  }
})

test('members choose the workspaces and organizations of their digest; the export has them', {
  skip,
}, async () => {
  const [bob, stranger] = [await signUp(), await signUp()]
  const { api_id: organization } = await newOrganization(owner.api)
  const { api_id: workspace } = await newWorkspace(owner.api, 'Fleet', organization)
  const member = { username: bob.username, membership_type: 'workspace_viewer' }
  await owner.api.post(`organization/${organization}/members/add/`, member, 200)
  const places = { digest_workspaces: [workspace], digest_organizations: [organization] }
  const chosen = async () => {
    const { digest_workspaces, digest_organizations } = (await bob.api.get<Settings>(path)).body
    return { digest_workspaces, digest_organizations }
  }
  const { body: refusal } = await stranger.api.patch<Refusal>(path, places, 400)
  for (const of of ['workspaces', 'organizations'])
    assert.match(JSON.stringify(refusal), new RegExp(`must be ${of} that you may view as a member`))
  for (const [member, id] of [
    ['digest_workspaces', organization],
    ['digest_organizations', workspace],
  ] as const)
    await bob.api.patch(path, { [member]: [id] }, 400)
  await bob.api.patch(path, places, 200)
  assert.deepEqual(await chosen(), places)
  const { body } = await bob.api.get<{ notifications: Settings }>(`user/${bob.username}/export/`)
  assert.deepEqual(body.notifications.digest_organizations, [organization])
  await bob.api.patch(path, { digest_workspaces: [] }, 200)
  assert.deepEqual(await chosen(), { ...places, digest_workspaces: [] })
})
