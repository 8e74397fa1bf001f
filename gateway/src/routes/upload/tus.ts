import { z } from 'zod'
import type { Config } from '../../config.js'
import type { Endpoint } from '../../endpoint.js'
import { extensions } from '../../uploads/store.js'
import { answerTus, bytesType, tusHeaders, tusVersion } from '../../uploads/tus.js'

const common = {
  since: 'v1',
  auth: 'required',
  headers: tusHeaders,
  optionsHeaders: (cfg: Config) => ({
    ...tusHeaders,
    'tus-version': tusVersion,
    'tus-extension': extensions.join(','),
    'tus-max-size': String(cfg.uploadBytesMax),
  }),
} as const

const resumable = z.literal(tusVersion)
const bytes = z.string().regex(/^\d+$/)

/** Resumable uploads with the protocol tus 1.0 (tus.io). */
export const tusRoutes: Endpoint[] = [
  {
    ...common,
    method: 'POST',
    path: '/upload/',
    idempotent: false,
    idempotencyKey: 'no effect: the client resumes the upload; an unused one expires',
    operationId: 'createUpload',
    summary: 'Begin a resumable upload',
    description:
      'The protocol is tus 1.0. `Upload-Metadata` names the target: one of `figure`, `asset`, `analysis`, `revision`, `asset_revision`. The body may have the first bytes.',
    requestHeaders: z.object({
      'Tus-Resumable': resumable,
      'Upload-Length': bytes.optional(),
      'Upload-Defer-Length': z.literal('1').optional(),
      'Upload-Metadata': z.string(),
    }),
    bytesType,
    responses: { 201: null },
    responseHeaders: ['Location', 'Tus-Resumable', 'Upload-Expires', 'Upload-Offset'],
    errors: {
      403: ['max_storage_bytes'],
      412: ['unknown_version'],
      429: ['too_many_uploads'],
      501: ['not_supported'],
    },
    handle: (input) => answerTus(input, 'POST'),
  },
  {
    ...common,
    method: 'HEAD',
    path: '/upload/:id/',
    idempotent: true,
    allowsMethodOverride: true,
    operationId: 'getUploadOffset',
    summary: 'Get how many bytes of an upload were received',
    description: 'The number is in `Upload-Offset`.',
    requestHeaders: z.object({ 'Tus-Resumable': resumable }),
    responses: { 200: null },
    responseHeaders: [
      'Tus-Resumable',
      'Upload-Defer-Length',
      'Upload-Expires',
      'Upload-Length',
      'Upload-Metadata',
      'Upload-Offset',
    ],
    errors: { 412: ['unknown_version'] },
    handle: (input) => answerTus(input, 'HEAD'),
  },
  {
    ...common,
    method: 'PATCH',
    path: '/upload/:id/',
    idempotent: false,
    allowsMethodOverride: true,
    operationId: 'appendToUpload',
    summary: 'Append bytes to an upload',
    description:
      'The bytes begin at `Upload-Offset`. If the connection breaks, the bytes received so far are kept.',
    requestHeaders: z.object({
      'Tus-Resumable': resumable,
      'Upload-Offset': bytes,
      'Upload-Length': bytes.optional(),
    }),
    bytesType,
    responses: { 204: null },
    responseHeaders: ['Tus-Resumable', 'Upload-Expires', 'Upload-Offset'],
    errors: {
      403: ['max_storage_bytes'],
      409: ['offset_conflict'],
      412: ['unknown_version'],
      423: ['upload_locked'],
    },
    handle: (input) => answerTus(input, 'PATCH'),
  },
  {
    ...common,
    method: 'DELETE',
    path: '/upload/:id/',
    idempotent: false,
    allowsMethodOverride: true,
    operationId: 'deleteUpload',
    summary: 'Abandon an upload',
    description: 'The bytes received so far are deleted.',
    requestHeaders: z.object({ 'Tus-Resumable': resumable }),
    responses: { 204: null },
    responseHeaders: ['Tus-Resumable'],
    errors: { 412: ['unknown_version'], 423: ['upload_locked'] },
    handle: (input) => answerTus(input, 'DELETE'),
  },
]
