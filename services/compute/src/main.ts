import { serve } from '@figbase/kit/service'
import { compute } from './index.js'

await serve(compute)
