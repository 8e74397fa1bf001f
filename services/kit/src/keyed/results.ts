import {
  create,
  type DescMessage,
  fromBinary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { type Executor, statement } from '../db/statement.js'
import { keyedRequest } from '../rpc/call.js'

const inserted = statement<never>(
  'insert into keyed_result (request_id, rpc, response) values ($1::uuid, $2, $3)',
)

const found = statement<{ response: Buffer }>(
  'select r.response from keyed_result r where r.request_id = $1::uuid and r.rpc = $2',
)

const expired = statement<{ request_id: string }>(`
  delete from keyed_result r
   where (r.request_id, r.rpc) in (
     select o.request_id, o.rpc from keyed_result o
      where o.recorded_on < now() - $1::float * interval '1 ms'
      limit $2)
  returning r.request_id`)

/**
 * Records the response to a keyed request in the transaction of its effect, so that a repetition finds it (`once`). A
 * second attempt waits for the first one here, and fails if that one committed. Does nothing for other requests.
 */
export type RecordResult = (
  tx: Executor,
  call: HandlerContext,
  response: () => unknown,
) => Promise<void>

export const recordResult: RecordResult = async (tx, call, response) => {
  const id = keyedRequest(call)
  if (!id) return
  const { name, output } = call.method
  const message = create(output, (await response()) as MessageShape<typeof output>)
  await inserted(tx, id, name, toBinary(output, message))
}

/** The recorded response; undefined if the request had no effect yet. By keyed_result_pkey. */
export async function findResult(
  db: Executor,
  call: HandlerContext,
): Promise<MessageShape<DescMessage> | undefined> {
  const [row] = await found(db, keyedRequest(call), call.method.name)
  return row && fromBinary(call.method.output, row.response)
}

/** Deletes old rows; returns how many. By keyed_result_recorded_idx. */
export const deleteResults = async (
  db: Executor,
  olderThanMs: number,
  rowsMax: number,
): Promise<number> => (await expired(db, olderThanMs, rowsMax)).length
