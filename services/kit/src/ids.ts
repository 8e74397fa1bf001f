import { randomUUID } from 'node:crypto'
import { v7 } from 'uuid'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A version 4 UUID, for whatever has an `api_id`: a client rewrites the version bits of others. */
export const newId = (): string => randomUUID()

/** A version 7 UUID, ordered by time, for what only we see. */
export const newOrderedId = (): string => v7()

export const isUuid = (text: string): boolean => uuidPattern.test(text)
