import { anonymous, type CredentialReaders, readAuthorization } from '@figbase/kit'
import type { Principal } from '@figbase/proto/common'

/**
 * Who the `Authorization` header says is calling; 401 when it says so wrongly. A promise only for
 * an API key.
 */
export function authenticate(
  header: string | undefined,
  readers: CredentialReaders,
  address: string,
): Principal | Promise<Principal> {
  return header === undefined ? anonymous : readAuthorization(header, readers, address)
}
