import { Controller, Get, Header } from '@nestjs/common';
import { Public, RespondsJson, OperationId, Summary } from '../api/routing/route';
import { CaptchaService, type CaptchaChallenge } from './captcha.service';

const text = (description: string): object => ({ type: 'string', description });
const CHALLENGE = {
  type: 'object',
  properties: {
    captcha_id: text('Comes back with the solution.'),
    algorithm: { const: 'SHA-256' },
    challenge: text('The hash, in hexadecimal, of the salt and the number that is sought.'),
    maxnumber: { type: 'integer', minimum: 1, description: 'The number is at most this.' },
    salt: text('Stands before the number that is hashed.'),
    signature: text('For widgets that send it back.'),
    expires_in: { type: 'integer', minimum: 0, description: 'Seconds.' },
  },
  required: [
    ...['captcha_id', 'algorithm', 'challenge', 'maxnumber', 'salt', 'signature', 'expires_in'],
  ],
  additionalProperties: false,
};

@Controller('v2/captcha')
export class CaptchaController {
  constructor(private readonly captchas: CaptchaService) {}

  @Get()
  @Public()
  @Header('Cache-Control', 'no-store')
  @RespondsJson(CHALLENGE)
  @OperationId('getCaptcha')
  @Summary('A challenge to solve for whoever is asked to (1007)')
  challenge(): Promise<CaptchaChallenge> {
    return this.captchas.challenge();
  }
}
