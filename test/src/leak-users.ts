import { randomBytes } from 'node:crypto'
import { withoutAi } from './ai.js'
import { callerWith, newApiKey } from './api-keys.js'
import { type Client, client } from './client.js'
import { LATEST } from './deployment.js'
import type { LeakDetector } from './leak-detector.js'
import type { Tokens } from './resources.js'

/** The readers that request everything. `stranger` and `anonymous` have access only to objects shared by link. */
export const readers = [
  'administrator of the organization',
  'owner',
  'member',
  'member of another workspace',
  'former member',
  'key of a former member',
  'share recipient',
  'stranger',
  'anonymous',
] as const
export type Reader = (typeof readers)[number]
export type ReaderLeakDetector = LeakDetector<Reader>

export const governors: Reader[] = ['administrator of the organization']
/** The readers with access to the whole workspace. */
export const insiders: Reader[] = [...governors, 'owner', 'member']
/** The readers of objects shared with the share recipient. */
export const recipients: Reader[] = [...insiders, 'share recipient']
export const formerMembers: Reader[] = ['former member', 'key of a former member']

export interface TestUser {
  username: string
  api: Client
}

/** The users who create the objects; most of them are also readers. */
export interface People {
  governor: TestUser
  owner: TestUser
  colleague: TestUser
  member: TestUser
  commenter: TestUser
  peer: TestUser
  former: TestUser
  recipient: TestUser
  stranger: TestUser
}

/** The managers of the workspace, who see which users spent its tokens. */
const usageReaders: Reader[] = withoutAi ? [] : ['owner']

/** Names are visible to readers of the user's objects, comments and AI usage; other account data only to the user. */
export async function signUpAll(detector: ReaderLeakDetector): Promise<People> {
  const signUp = async (who: string, self: Reader[], others: readonly Reader[]) => {
    const seenBy = [...new Set([...self, ...others])]
    const shownTo = seenBy.filter((reader) => reader !== 'key of a former member')
    const named = (part: string, to: readonly Reader[]) =>
      detector.createMarker(`${part} of the ${who}`, seenBy, { shownTo: to, isOfPerson: true })
    const user = {
      username: named('username', shownTo),
      email: `${detector.createMarker(`address of the ${who}`, self, { shownTo: self.slice(0, 1) })}@example.org`,
      password: `pw ${randomBytes(12).toString('base64url')}`,
      first_name: named('first name', []),
      last_name: named('last name', []),
    }
    const { body } = await client().post<{ auth: Tokens }>('user/', user)
    const api = client(LATEST, `Bearer ${body.auth.access}`)
    const note = detector.createMarker(`profile of the ${who}`, self, { shownTo: self.slice(0, 1) })
    await api.patch(`user/${user.username}/`, { user_profile: { note } })
    return { username: user.username, api }
  }
  return {
    governor: await signUp('governor', governors, ['member of another workspace', ...usageReaders]),
    owner: await signUp('owner', ['owner'], readers),
    colleague: await signUp('colleague', [], insiders),
    // The names of commenters are visible to all who may view the discussion.
    member: await signUp('member', ['member'], recipients),
    commenter: await signUp('commenter', [], recipients),
    peer: await signUp('peer', ['member of another workspace'], governors),
    former: await signUp('former member', formerMembers, insiders),
    recipient: await signUp('share recipient', ['share recipient'], insiders),
    stranger: await signUp('stranger', ['stranger'], []),
  }
}

/** The API client of each reader. */
export async function readersOf(people: People, workspace: string, detector: ReaderLeakDetector) {
  const { governor, owner, member, peer, former, recipient, stranger } = people
  const name = detector.createMarker('name of the key of the former member', formerMembers, {
    shownTo: ['former member'],
  })
  const key = await newApiKey(former.api, { name, workspace })
  return {
    'administrator of the organization': governor.api,
    owner: owner.api,
    member: member.api,
    'member of another workspace': peer.api,
    'former member': former.api,
    'key of a former member': callerWith(key),
    'share recipient': recipient.api,
    stranger: stranger.api,
    anonymous: client(LATEST),
  } satisfies Record<Reader, Client>
}
