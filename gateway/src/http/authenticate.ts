import type { KeyObject } from 'node:crypto'
import { anonymous, readAuthorization } from '@figbase/kit'
import type { Principal } from '@figbase/proto/common'

/** Who the `Authorization` header says is calling; 401 when it says so wrongly. */
export function authenticate(header: string | undefined, key: KeyObject): Principal {
  return header === undefined ? anonymous : readAuthorization(header, key)
}
