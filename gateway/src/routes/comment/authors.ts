import { create } from '@bufbuild/protobuf'
import { type User, UserSchema } from '@figbase/proto/identity'
import type { Input } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { userShape } from '../../shapes/user.js'

type Author = ReturnType<typeof userShape>

/** The maximum total length of the avatars in one response, as base64. Each comment repeats that of its author. */
const avatarsLengthMax = 4 * 2 ** 20
const usersMax = 1000

/** Reads the authors of comments for one response; takes one RPC for each batch of new usernames. */
export function createAuthorReader({ services, streamCall }: Input) {
  const known = new Map<string, User>()
  let avatarsLength = 0

  const load = async (usernames: string[]) => {
    // While identity is unavailable, authors have only their usernames.
    const answer = await ifAvailable(services.identity.listUsers({ usernames }, streamCall))
    for (const user of answer?.users ?? []) known.set(user.username, user)
  }

  const authorOf = (username: string): Author => {
    const author = userShape(known.get(username) ?? create(UserSchema, { username }))
    if (!author.avatar) return author
    avatarsLength += author.avatar.length
    return avatarsLength <= avatarsLengthMax ? author : { ...author, avatar: null }
  }

  return async (usernames: string[]): Promise<typeof authorOf> => {
    const unknown = [...new Set(usernames)].filter((username) => !known.has(username))
    for (let at = 0; at < unknown.length; at += usersMax) {
      await load(unknown.slice(at, at + usersMax))
    }
    return authorOf
  }
}
