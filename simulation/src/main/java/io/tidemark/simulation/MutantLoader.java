package io.tidemark.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Loads the engine, the pipeline, the memory store and the simulation anew, some of their classes
 * compiled from edited source. So a bug lives beside the real code and never in it.
 */
final class MutantLoader extends ClassLoader {
  private static final List<String> ANEW =
      List.of(
          "io.tidemark.core.",
          "io.tidemark.pipeline.",
          "io.tidemark.storage.memory.",
          "io.tidemark.simulation.");

  private final Map<String, byte[]> mutants;

  MutantLoader(List<Mutation> mutations) {
    super("mutant", MutantLoader.class.getClassLoader());
    this.mutants = compile(mutations);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null && ANEW.stream().anyMatch(name::startsWith)) {
        byte[] bytes = mutants.containsKey(name) ? mutants.get(name) : original(name);
        loaded = defineClass(name, bytes, 0, bytes.length);
      }
      return loaded != null ? loaded : super.loadClass(name, resolve);
    }
  }

  private byte[] original(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static Map<String, byte[]> compile(List<Mutation> mutations) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IllegalStateException("seeded bugs need a JDK: this Java has no compiler");
    }
    Map<String, String> sources = new LinkedHashMap<>();
    for (Mutation mutation : mutations) {
      String source = sources.computeIfAbsent(mutation.type(), MutantLoader::source);
      sources.put(mutation.type(), mutation.applyTo(source));
    }
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    Outputs outputs = new Outputs(compiler.getStandardFileManager(problems, null, null));
    List<String> options =
        List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
    boolean compiled =
        compiler
            .getTask(
                null,
                outputs,
                problems,
                options,
                null,
                sources.entrySet().stream().map(e -> new Source(e.getKey(), e.getValue())).toList())
            .call();
    if (!compiled) {
      throw new IllegalStateException(
          "a seeded bug does not compile: " + problems.getDiagnostics());
    }
    Map<String, byte[]> classes = new HashMap<>();
    outputs.written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  private static String source(String type) {
    String path = "/engine-source/" + type.replace('.', '/') + ".java";
    try (InputStream in = MutantLoader.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("no source of " + type);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String type, String text) {
      super(URI.create("string:///" + type.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written = new HashMap<>();

    Outputs(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("bytes:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          return written.computeIfAbsent(className, unused -> new ByteArrayOutputStream());
        }
      };
    }
  }
}
