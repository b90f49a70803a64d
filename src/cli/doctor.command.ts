import { Command, CommandRunner } from './support/command';
import { examine } from './support/doctor';
import { printAll } from './support/output';

@Command({
  name: 'doctor',
  description: 'check Node.js, settings, disk, PostgreSQL, migrations, clock, Redis, S3 and TLS',
  help: 'A warning or failure comes with its cure. The exit status is 1 after a failure.',
})
export class DoctorCommand extends CommandRunner {
  async run(): Promise<void> {
    const findings = await examine();
    await printAll(findings);
    if (findings.some(({ status }) => status === 'failed')) process.exitCode = 1;
  }
}
