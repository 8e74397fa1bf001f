import { test } from 'node:test'
import { driverContract } from '../src/drivers/contract.js'
import { openLocal, withoutLocal } from './local.js'

if (withoutLocal) test('the contract of drivers on this machine', { skip: withoutLocal }, () => {})
else driverContract('local', () => openLocal())
