// MakeSpring answers for Spring Security's crypto: README.md has the questions.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.LdapShaPasswordEncoder;
import org.springframework.security.crypto.password.MessageDigestPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.crypto.password.StandardPasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.scrypt.SCryptPasswordEncoder;

@SuppressWarnings("deprecation")
class MakeSpring {
    public static void main(String[] args) throws Exception {
        Map<String, PasswordEncoder> cheap = new LinkedHashMap<>();
        cheap.put("bcrypt", new BCryptPasswordEncoder(4));
        cheap.put("scrypt", new SCryptPasswordEncoder(1024, 8, 1, 32, 16));
        cheap.put("argon2", new Argon2PasswordEncoder(16, 32, 1, 64, 2));
        cheap.put("ldap", new LdapShaPasswordEncoder());
        for (String digest : List.of("MD5", "SHA-1", "SHA-256")) cheap.put(digest, new MessageDigestPasswordEncoder(digest));
        cheap.put("sha256", new StandardPasswordEncoder());
        // What the factory's encoders of these names are, which its verifier reads by the name alone.
        Map<String, PasswordEncoder> preset = new LinkedHashMap<>();
        preset.put("bcrypt", new BCryptPasswordEncoder());
        preset.put("pbkdf2", Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_5());
        preset.put("pbkdf2@SpringSecurity_v5_8", Pbkdf2PasswordEncoder.defaultsForSpringSecurity_v5_8());
        preset.put("scrypt", SCryptPasswordEncoder.defaultsForSpringSecurity_v4_1());
        preset.put("scrypt@SpringSecurity_v5_8", SCryptPasswordEncoder.defaultsForSpringSecurity_v5_8());
        preset.put("argon2", Argon2PasswordEncoder.defaultsForSpringSecurity_v5_2());
        preset.put("argon2@SpringSecurity_v5_8", Argon2PasswordEncoder.defaultsForSpringSecurity_v5_8());
        PasswordEncoder factory = PasswordEncoderFactories.createDelegatingPasswordEncoder();

        System.out.println("Spring Security " + BCryptPasswordEncoder.class.getPackage().getImplementationVersion());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null;) {
            String[] part = line.split(" \\| ", -1);
            if (part[0].equals("check")) {
                System.out.println(attempt(() -> factory.matches(text(part[2]), part[3]) ? "y" : "n"));
                continue;
            }
            if (part[0].equals("published")) continue; // they are not in the package
            boolean dear = part[0].equals("default");
            (dear ? preset : cheap).forEach((id, encoder) -> System.out.println(id + (dear ? " default" : "") + " | " + part[1]
                + " | " + attempt(() -> new DelegatingPasswordEncoder(id, Map.of(id, encoder)).encode(text(part[1])))));
        }
    }

    // text returns a password as text: these encoders take no bytes.
    static String text(String hex) throws CharacterCodingException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex))).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("takes text, and this is no UTF-8");
        }
    }

    static String attempt(Callable<String> call) {
        try {
            return call.call();
        } catch (Exception e) {
            String why = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
            return "! " + why.substring(0, Math.min(120, why.length()));
        }
    }
}
