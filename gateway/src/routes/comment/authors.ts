import { create } from '@bufbuild/protobuf'
import { type User, UserSchema } from '@figbase/proto/identity'
import type { Input } from '../../endpoint.js'
import { userShape } from '../../shapes/user.js'
import { unlessAway } from '../../unless-away.js'

type Author = ReturnType<typeof userShape>

/** What pictures of authors an answer may carry together, as base64: each comment has the one of its author. */
const picturesLengthMax = 4 * 2 ** 20
const usersMax = 1000

/** Answers who wrote what, for one answer; one call for all who are asked for together and were not known. */
export function authorsFor({ services, streamCall }: Input) {
  const known = new Map<string, User>()
  let picturesLength = 0

  const load = async (usernames: string[]) => {
    // Without it they are shown by their usernames.
    const answer = await unlessAway(services.identity.listUsers({ usernames }, streamCall))
    for (const user of answer?.users ?? []) known.set(user.username, user)
  }

  const authorOf = (username: string): Author => {
    const author = userShape(known.get(username) ?? create(UserSchema, { username }))
    if (!author.avatar) return author
    picturesLength += author.avatar.length
    return picturesLength <= picturesLengthMax ? author : { ...author, avatar: null }
  }

  return async (usernames: string[]): Promise<typeof authorOf> => {
    const unknown = [...new Set(usernames)].filter((username) => !known.has(username))
    for (let at = 0; at < unknown.length; at += usersMax) {
      await load(unknown.slice(at, at + usersMax))
    }
    return authorOf
  }
}
