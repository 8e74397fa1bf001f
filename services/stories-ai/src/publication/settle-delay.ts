/** When the job looks whether the request has reported its change to catalog. */
export const settleDelayMs = 20_000
