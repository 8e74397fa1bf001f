import { z } from 'zod'
import { type Endpoint, ok, uploadEndpoint } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { validate } from '../../http/validate.js'
import { required } from '../../required.js'
import { userProfile, userSchema, userShape } from '../../shapes/user.js'
import { base64 } from '../body-members.js'

const text = z.string('must be a string').nullish()

/** The members that can be updated. All others are ignored. */
const members = z
  .object({
    username: text,
    email: text,
    first_name: text,
    last_name: text,
    password: text,
    avatar: base64.nullish(),
    user_profile: userProfile.nullish(),
  })
  .meta({ id: 'UserUpdate', description: 'The members of an account to change.' })

export const updateUser = (method: 'PUT' | 'PATCH'): Endpoint =>
  uploadEndpoint({
    method,
    path: '/user/:username/',
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${method === 'PUT' ? 'replace' : 'update'}User`,
    summary: 'Update the account of the caller',
    description: 'Omitted members keep their values. Unknown members are ignored.',
    // Streamed: avatars are larger than ordinary bodies, and the profile is stored unchanged.
    upload: true,
    body: members,
    responses: { 200: userSchema },
    errors: { 409: ['email_taken'], 429: ['too_busy'] },
    async handle({ params, username, services, call }, upload) {
      if (params.username !== username)
        throw permissionDenied('only its owner can change an account')
      const { body, profileJson } = await read(upload)
      const { email, first_name, last_name, password, avatar } = body
      if (body.username && body.username !== username) {
        throw permissionDenied('username: cannot be changed')
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
      return ok(userShape(required(user)))
    },
  })

const permissionDenied = (detail: string) => new HttpError(403, 'permission_denied', detail)

/** Reads the known members (the last of each name), and the raw JSON of the profile. */
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
