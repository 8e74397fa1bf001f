import { type Figbase, type PublishInit, publish, waitForRevision } from '@figbase/client'

/** Publishes a figure as users do, and waits until it has been processed. */
export async function published(me: Figbase, init: PublishInit) {
  const { api_id } = await publish(me, init)
  return waitForRevision(me, api_id)
}
