import type { IncomingMessage } from 'node:http'
import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import type { Config } from '../config.js'
import type { Input, Route } from '../endpoint.js'
import { boundedBytes, checkLength, checkTexts, kindOfBody, readBody } from './body.js'
import type { BodyReader } from './body-reader.js'
import { answerTo } from './errors.js'
import { scanUpload } from './json/upload-scanner.js'
import { validate } from './validate.js'

/** Reads and validates a JSON or form body. A missing permission is reported before an invalid body. */
export async function readValidBody(
  endpoint: Route,
  input: Input,
  req: IncomingMessage,
  bodyReader: BodyReader,
) {
  const { jsonBodyBytesMax, jsonDepthMax: depthMax, jsonValuesMax: valuesMax } = input.cfg
  const bytesMax = endpoint.bodyBytesMax?.(input.cfg) ?? jsonBodyBytesMax
  const kind = kindOfBody(req, endpoint)
  let body: unknown
  try {
    const read = await readBody(req, kind, { bytesMax, depthMax, valuesMax, bodyReader })
    body = read.value
    checkTexts(read)
    return validate(endpoint.body as NonNullable<Route['body']>, body)
  } catch (error) {
    const guard = endpoint.guard?.(input.params, body)
    if (!guard || answerTo(error)?.status !== 400) throw error
    await input.services.catalog.checkAccess(guard, input.call).catch((accessError: unknown) => {
      // Report the invalid body rather than an unknown parent.
      if (!hasCode(accessError, Code.NotFound) || input.params.id) throw accessError
    })
    throw error
  }
}

/** Checks the headers of an upload and starts to scan its body. */
export function scanBody(
  endpoint: Route,
  req: IncomingMessage,
  cfg: Config,
  bodyReader: BodyReader,
) {
  const bytesMax = endpoint.bodyBytesMax?.(cfg) ?? cfg.uploadBodyBytesMax
  kindOfBody(req)
  checkLength(req, bytesMax)
  return scanUpload(boundedBytes(req, bytesMax, bodyReader), {
    memberBytesMax: cfg.memberBytesMax,
    objectsMax: cfg.uploadObjectsMax,
    depthMax: cfg.jsonDepthMax,
    membersMax: 100 * cfg.uploadObjectsMax,
  })
}
