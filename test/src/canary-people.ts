import { randomBytes } from 'node:crypto'
import { callerWith, newApiKey } from './api-keys.js'
import type { Canaries } from './canaries.js'
import { type Client, client } from './client.js'
import { LATEST } from './deployment.js'
import type { Tokens } from './resources.js'

/** Who reads everything. Without credentials and as a stranger one sees what is shared by link. */
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
export type Planted = Canaries<Reader>

export const governors: Reader[] = ['administrator of the organization']
/** Who views all that is in the workspace. */
export const insiders: Reader[] = [...governors, 'owner', 'member']
/** With whom the shared objects of one kind are shared, and those who need no share. */
export const recipients: Reader[] = [...insiders, 'share recipient']
export const formerMembers: Reader[] = ['former member', 'key of a former member']

export interface Somebody {
  username: string
  api: Client
}

/** Those who write in the world; most of them are readers, too. */
export interface People {
  governor: Somebody
  owner: Somebody
  colleague: Somebody
  member: Somebody
  commenter: Somebody
  neighbour: Somebody
  former: Somebody
  recipient: Somebody
  stranger: Somebody
}

/** Names are for those who view what somebody made or wrote; the rest of an account is its own. */
export async function signUpAll(canaries: Planted): Promise<People> {
  const signUp = async (who: string, self: Reader[], others: readonly Reader[]) => {
    const seenBy = [...new Set([...self, ...others])]
    const shownTo = seenBy.filter((reader) => reader !== 'key of a former member')
    const named = (part: string, to: readonly Reader[]) =>
      canaries.plant(`${part} of the ${who}`, seenBy, { shownTo: to, isOfPerson: true })
    const user = {
      username: named('username', shownTo),
      email: `${canaries.plant(`address of the ${who}`, self, { shownTo: self.slice(0, 1) })}@example.org`,
      password: `pw ${randomBytes(12).toString('base64url')}`,
      first_name: named('first name', []),
      last_name: named('last name', []),
    }
    const { body } = await client().post<{ auth: Tokens }>('user/', user)
    const api = client(LATEST, `Bearer ${body.auth.access}`)
    const note = canaries.plant(`profile of the ${who}`, self, { shownTo: self.slice(0, 1) })
    await api.patch(`user/${user.username}/`, { user_profile: { note } })
    return { username: user.username, api }
  }
  return {
    governor: await signUp('governor', governors, ['member of another workspace']),
    owner: await signUp('owner', ['owner'], readers),
    colleague: await signUp('colleague', [], insiders),
    // Who takes part in a discussion is named to all who may view it.
    member: await signUp('member', ['member'], recipients),
    commenter: await signUp('commenter', [], recipients),
    neighbour: await signUp('neighbour', ['member of another workspace'], governors),
    former: await signUp('former member', formerMembers, insiders),
    recipient: await signUp('share recipient', ['share recipient'], insiders),
    stranger: await signUp('stranger', ['stranger'], []),
  }
}

/** Each reader as the API knows them. */
export async function readersOf(people: People, workspace: string, canaries: Planted) {
  const { governor, owner, member, neighbour, former, recipient, stranger } = people
  const name = canaries.plant('name of the key of the former member', formerMembers, {
    shownTo: ['former member'],
  })
  const key = await newApiKey(former.api, { name, workspace })
  return {
    'administrator of the organization': governor.api,
    owner: owner.api,
    member: member.api,
    'member of another workspace': neighbour.api,
    'former member': former.api,
    'key of a former member': callerWith(key),
    'share recipient': recipient.api,
    stranger: stranger.api,
    anonymous: client(LATEST),
  } satisfies Record<Reader, Client>
}
