import type { JobName } from '@figbase/kit/jobs'

/** Apart from the work of the job, so that queries that enqueue it do not import that. */
export const tellStale: JobName<{ assetRevisionId: string; requestId: string }> = {
  name: 'tell-stale',
  attemptsMax: 25,
}

export const collectPayment: JobName<{ invoiceId: string }> = {
  name: 'collect-payment',
  attemptsMax: 25,
}

export const creditPayment: JobName<{ creditNoteId: string }> = {
  name: 'credit-payment',
  attemptsMax: 25,
}

export const readPayment: JobName<{ objectId: string }> = {
  name: 'read-payment',
  attemptsMax: 25,
}
