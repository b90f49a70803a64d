import { Controller, Get, Header } from '@nestjs/common';
import { Extension, Public, RespondsJson, OperationId, Summary } from '../api/routing/route';
import { CaptchaService, type CaptchaChallenge } from './captcha.service';

const text = (description: string): object => ({ type: 'string', description });
const CHALLENGE = {
  type: 'object',
  properties: {
    captcha_id: text('Id to send with the solution.'),
    algorithm: { const: 'SHA-256', description: 'Hash function.' },
    challenge: text('Hash of the salt and the wanted number, in hexadecimal.'),
    maxnumber: { type: 'integer', minimum: 1, description: 'Maximum of the wanted number.' },
    salt: text('Text before the number when hashing.'),
    signature: text('Signature, for ALTCHA widgets that send it back.'),
    expires_in: {
      type: 'integer',
      minimum: 0,
      description: 'Seconds until the challenge expires.',
    },
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
  @Extension()
  @OperationId('getCaptcha')
  @Summary('Get a challenge, after error 1007')
  challenge(): Promise<CaptchaChallenge> {
    return this.captchas.challenge();
  }
}
