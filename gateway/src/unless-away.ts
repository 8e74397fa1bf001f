import { Code, ConnectError } from '@connectrpc/connect'

/**
 * For what stands beside an answer, as pictures and names do: undefined while the service that has it, or its
 * storage, is away. That is no reason to answer nothing.
 */
export async function unlessAway<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Unavailable) return undefined
    throw error
  }
}
