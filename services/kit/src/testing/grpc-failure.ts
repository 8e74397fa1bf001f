import assert from 'node:assert/strict'
import type { ServiceError } from '@grpc/grpc-js'
import { fromJSON, loadSync, type PackageDefinition } from '@grpc/proto-loader'
import { protosDir } from './grpc-client.js'

const statusDetails = 'grpc-status-details-bin'

// `google/rpc/status.proto`
const statusFile = fromJSON({
  nested: {
    Status: {
      fields: {
        code: { type: 'int32', id: 1 },
        message: { type: 'string', id: 2 },
        details: { rule: 'repeated', type: 'Any', id: 3 },
      },
    },
    Any: { fields: { typeUrl: { type: 'string', id: 1 }, value: { type: 'bytes', id: 2 } } },
  },
})

type Status = { code: number; message: string; details: { typeUrl: string; value: Buffer }[] }

export type GrpcFailure = {
  code: number
  message: string
  error: string
  fields: { field: string; reason: string }[]
}

/** The error of a call that must fail, with its typed detail, as an external client reads it. */
export async function grpcFailureOf(call: Promise<unknown>): Promise<GrpcFailure> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(isServiceError(outcome), `expected a failure, got ${String(outcome)}`)
  const { code, details: message } = outcome
  const [bytes] = outcome.metadata.get(statusDetails)
  if (!(bytes instanceof Buffer)) return { code, message, error: '', fields: [] }
  const status = read(statusFile, 'Status', bytes) as Status
  assert.equal(status.code, code)
  const [detail] = status.details
  assert.equal(detail?.typeUrl, 'type.googleapis.com/figbase.common.v1.ErrorDetail')
  const options = { includeDirs: [protosDir], defaults: true }
  const common = loadSync('figbase/common/v1/common.proto', options)
  const { value } = detail
  const known = read(common, 'figbase.common.v1.ErrorDetail', value) as GrpcFailure
  return { code, message, error: known.error, fields: known.fields }
}

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && 'metadata' in thrown && 'details' in thrown
}

function read(file: PackageDefinition, type: string, bytes: Buffer): object {
  const found = file[type]
  if (!found || !('deserialize' in found) || typeof found.deserialize !== 'function') {
    throw new Error(`${type} is not a message`)
  }
  return found.deserialize(bytes)
}
