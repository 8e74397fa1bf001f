import { z } from 'zod'
import { type Endpoint, ok, uploadEndpoint } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { validate } from '../../http/validate.js'
import { userProfile, userSchema, userShape } from '../../shapes/user.js'
import { found } from '../found.js'
import { base64 } from '../members.js'

const text = z.string('must be a string').nullish()

/** What may be changed; all else that a user shows may come along, and is ignored. */
const members = z.object({
  username: text,
  email: text,
  first_name: text,
  last_name: text,
  password: text,
  avatar: base64.nullish(),
  user_profile: userProfile.nullish(),
})

export const updateUser = (method: 'PUT' | 'PATCH'): Endpoint =>
  uploadEndpoint({
    method,
    path: '/user/:username/',
    since: 'v1',
    auth: 'required',
    idempotent: true,
    summary: 'Change the own account; members left out keep their value',
    // Read member by member: pictures are larger than ordinary bodies, and the profile stays as it was written.
    upload: true,
    body: members,
    responses: { 200: userSchema },
    async handle({ params, username, services, call }, upload) {
      if (params.username !== username) throw notYours('only its owner can change an account')
      const { body, profileJson } = await read(upload)
      const { email, first_name, last_name, password, avatar } = body
      if (body.username && body.username !== username) {
        throw notYours('username: cannot be changed')
      }
      const request = {
        username,
        ...(typeof email === 'string' && { email }),
        ...(typeof first_name === 'string' && { firstName: first_name }),
        ...(typeof last_name === 'string' && { lastName: last_name }),
        ...(typeof password === 'string' && { password }),
        ...(avatar !== undefined && { avatar: Buffer.from(avatar ?? '', 'base64') }),
        ...(profileJson !== undefined && { profileJson }),
      }
      const { user } = await services.accounts.updateUser(request, call)
      return ok(userShape(found(user)))
    },
  })

const notYours = (detail: string) => new HttpError(403, 'permission_denied', detail)

/** The members that count, the last of each name; the profile also as it was written. */
async function read(upload: AsyncIterable<UploadEvent>) {
  const texts = new Map<string, string>()
  for await (const event of upload) {
    if (event.kind !== 'member' || !Object.hasOwn(members.shape, event.name)) continue
    texts.set(event.name, event.raw)
  }
  const values = Object.fromEntries(
    Array.from(texts, ([name, raw]): [string, unknown] => [name, JSON.parse(raw)]),
  )
  const body = validate(members, values)
  const profileJson = body.user_profile ? texts.get('user_profile') : undefined
  return { body, profileJson }
}
